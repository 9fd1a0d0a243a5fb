package dev.tarn.benchmarks.suite;

import java.util.Locale;

/** The benchmarks as the command line calls them. */
public enum BenchmarkName {
  GET,
  HEAD;

  public Benchmark benchmark() {
    return switch (this) {
      case GET -> ReadBenchmark.get();
      case HEAD -> ReadBenchmark.headers();
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
