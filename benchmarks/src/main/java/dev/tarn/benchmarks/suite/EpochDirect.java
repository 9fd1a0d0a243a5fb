package dev.tarn.benchmarks.suite;

import dev.tarn.benchmarks.measure.Comparison;
import dev.tarn.benchmarks.measure.Measurement;
import dev.tarn.benchmarks.measure.ProcessCpu;
import dev.tarn.benchmarks.measure.Round;
import dev.tarn.benchmarks.report.Cell;
import dev.tarn.benchmarks.report.Goal;
import dev.tarn.benchmarks.server.TarnCluster;
import dev.tarn.benchmarks.server.TarnServer;
import dev.tarn.client.Shuffle;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Epochs from a cluster of a gateway and a target: directly from the target, beside epochs through
 * the gateway.
 */
final class EpochDirect {
  /** Enough epochs for a round to take many of the 10 ms steps in which the kernel counts CPU. */
  private static final int EPOCHS = 8;

  private final TarnCluster cluster;
  private final Corpus corpus;

  private EpochDirect(TarnCluster cluster, Corpus corpus) {
    this.cluster = cluster;
    this.corpus = corpus;
  }

  static void measure(Run run, Corpus corpus) throws IOException {
    Path files = Files.createDirectory(run.scratch().resolve("direct-files"));
    Path ours = Files.createDirectory(run.scratch().resolve("direct"));
    corpus.write(files);
    try (TarnCluster cluster = TarnCluster.start(run.home(), ours);
        Storage direct = storage(cluster.gateway(), true);
        Storage through = storage(cluster.gateway(), false)) {
      BenchmarkBucket.create(cluster.gateway().address());
      EpochBenchmark.pack(run, cluster.gateway(), files.resolve(corpus.name()).toString());
      new EpochDirect(cluster, corpus).compare(run, direct, through);
    }
  }

  private static Storage storage(TarnServer gateway, boolean directReads) {
    StorageOptions options = gateway.storageOptions();
    return Storage.open(
        StorageOptions.builder()
            .endpoint(options.endpoint().orElseThrow())
            .credentials(options.credentials().orElseThrow())
            .directReads(directReads)
            .build());
  }

  private void compare(Run run, Storage direct, Storage through) throws IOException {
    Round ours = round(new EpochReads(direct, corpus));
    Round yardstick = round(new EpochReads(through, corpus));
    warmUp(run.effort().warmUp(), List.of(ours, yardstick));
    Comparison measured = Comparison.alternate(run.effort().rounds(), ours, yardstick);
    run.report()
        .add(
            new Cell(
                EpochBenchmark.NAME,
                "8KiB direct beside through the gateway",
                measured.ours(Measurement::operationsPerSecond),
                measured.yardstick(Measurement::operationsPerSecond),
                "samples/s",
                Optional.empty()));
    run.report()
        .add(
            new Cell(
                EpochBenchmark.NAME,
                "8KiB direct, gateway and target",
                measured.ours(Measurement::cpuSecondsPerGigabyte),
                measured.yardstick(Measurement::cpuSecondsPerGigabyte),
                "CPU s/GB",
                Optional.of(new Goal.RatioAtMost(1))));
  }

  private static void warmUp(Duration duration, List<Round> sides) throws IOException {
    long start = System.nanoTime();
    while (System.nanoTime() - start < duration.toNanos()) {
      for (Round side : sides) {
        side.run();
      }
    }
  }

  /** A round whose CPU time is that of gateway and target together. */
  private Round round(EpochReads reads) {
    return () -> {
      long before = serverCpu();
      long samples = 0;
      long bytes = 0;
      long elapsed = 0;
      for (int epoch = 0; epoch < EPOCHS; epoch++) {
        Measurement one = reads.shards(Shuffle.SHARDS, epoch);
        samples += one.operations();
        bytes += one.bytes();
        elapsed += one.elapsedNanos();
      }
      return new Measurement(samples, bytes, elapsed, serverCpu() - before);
    };
  }

  private long serverCpu() throws IOException {
    return ProcessCpu.nanos(cluster.gateway().pid()) + ProcessCpu.nanos(cluster.target().pid());
  }
}
