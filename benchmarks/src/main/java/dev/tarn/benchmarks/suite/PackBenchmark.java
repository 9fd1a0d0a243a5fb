package dev.tarn.benchmarks.suite;

import java.io.IOException;
import java.util.List;

/**
 * {@code bin/sharder} beside other tools that process the same bytes. Each is timed from launch to
 * exit and until the output is on the device.
 */
final class PackBenchmark implements Benchmark {
  static final String NAME = "pack";

  /** The maximum of anonymous memory for packing, independent of the input. */
  static final double MEMORY_MIB = 512;

  @Override
  public void run(Run run) throws IOException {
    List<Corpus> corpora =
        List.of(
            Corpus.kibibytes(8, run.effort().count(100_000, 2_000)),
            Corpus.mebibytes(10, run.effort().count(200, 4)));
    List<Corpus> wanted = run.effort().sizes(corpora, Corpus::name);
    for (Corpus corpus : wanted) {
      LocalPacking.measure(run, corpus);
    }
    if (wanted.contains(corpora.getFirst())) {
      RemotePacking.measure(run, corpora.getFirst());
    }
  }
}
