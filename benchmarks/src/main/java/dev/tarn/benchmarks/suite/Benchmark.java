package dev.tarn.benchmarks.suite;

import java.io.IOException;

/** A benchmark. It starts its servers, measures, reports its cells, and cleans up. */
@FunctionalInterface
public interface Benchmark {
  void run(Run run) throws IOException;
}
