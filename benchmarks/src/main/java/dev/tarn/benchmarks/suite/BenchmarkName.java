package dev.tarn.benchmarks.suite;

import java.util.Locale;

/** The names of the benchmarks on the command line. */
public enum BenchmarkName {
  GET,
  HEAD,
  HOP,
  PUT,
  LIST,
  CACHE,
  COLD_CACHE,
  PACK,
  EPOCH,
  LOAD,
  MAP,
  MEMORY;

  public Benchmark benchmark() {
    return switch (this) {
      case GET -> ReadBenchmark.get();
      case HEAD -> ReadBenchmark.headers();
      case HOP -> new HopBenchmark();
      case PUT -> new PutBenchmark();
      case LIST -> new ListBenchmark();
      case CACHE -> new CacheBenchmark();
      case COLD_CACHE -> new ColdCacheBenchmark();
      case PACK -> new PackBenchmark();
      case EPOCH -> new EpochBenchmark();
      case LOAD -> new LoadBenchmark();
      case MAP -> new MapBenchmark();
      case MEMORY -> new MemoryBenchmark();
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
