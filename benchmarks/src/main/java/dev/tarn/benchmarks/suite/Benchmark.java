package dev.tarn.benchmarks.suite;

import java.io.IOException;

/** Starts its servers, measures, reports its cells and leaves nothing behind. */
@FunctionalInterface
public interface Benchmark {
  void run(Run run) throws IOException;
}
