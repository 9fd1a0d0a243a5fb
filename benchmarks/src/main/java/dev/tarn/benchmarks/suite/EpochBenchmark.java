package dev.tarn.benchmarks.suite;

import dev.tarn.benchmarks.measure.Comparison;
import dev.tarn.benchmarks.measure.MeasuredCommand;
import dev.tarn.benchmarks.measure.Measurement;
import dev.tarn.benchmarks.measure.ProcessCpu;
import dev.tarn.benchmarks.measure.Round;
import dev.tarn.benchmarks.report.Cell;
import dev.tarn.benchmarks.report.Goal;
import dev.tarn.benchmarks.server.TarnServer;
import dev.tarn.client.Shuffle;
import dev.tarn.client.storage.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Measures epochs through the SDK:
 *
 * <ul>
 *   <li>shuffled epochs of shards, beside the same data as small GETs at their best concurrency
 *       through the same HTTP client;
 *   <li>the waiting times of a trainer;
 *   <li>epochs directly from a cluster's target, beside epochs through its gateway;
 *   <li>epochs of local shards.
 * </ul>
 */
final class EpochBenchmark implements Benchmark {
  static final String NAME = "epoch";
  private static final Goal GOAL = new Goal.RatioAtLeast(10);
  private static final Goal DRAIN_GOAL = new Goal.RatioAtLeast(0.7);

  private static final int WARM_UP_DRAINS = 5;

  @Override
  public void run(Run run) throws IOException {
    Corpus small = Corpus.kibibytes(8, run.effort().count(20_000, 2_000));
    if (run.effort().size().isEmpty()) {
      remote(run, small);
      EpochDirect.measure(run, small);
    }
    for (Corpus corpus : run.effort().sizes(EpochParsing.corpora(run.effort()), Corpus::name)) {
      EpochParsing.measure(run, corpus);
    }
  }

  private static void remote(Run run, Corpus corpus) throws IOException {
    Path ours = Files.createDirectory(run.scratch().resolve("tarn"));
    try (TarnServer tarn = TarnServer.start(run.home(), ours);
        Storage storage = Storage.open(tarn.storageOptions())) {
      BenchmarkBucket.create(tarn.address());
      BenchmarkBucket.upload(tarn.address(), corpus.entries());
      pack(run, tarn, EpochReads.objects(corpus).toString());
      EpochReads reads = new EpochReads(storage, corpus);
      compare(run, tarn, reads);
      drain(run, reads);
      new EpochWaiting(run, storage, corpus).measure();
      EpochMemory.measure(run, tarn);
    }
  }

  static void pack(Run run, TarnServer tarn, String source) throws IOException {
    ProcessBuilder command =
        new ProcessBuilder(
            run.home().sharder().toString(),
            "pack",
            source,
            EpochReads.DATASET.toString(),
            "--seed",
            "1",
            "--max-size",
            "32MiB",
            "--endpoint-url",
            tarn.endpoint().toString());
    command.environment().put("AWS_ACCESS_KEY_ID", TarnServer.CREDENTIALS.accessKey());
    command.environment().put("AWS_SECRET_ACCESS_KEY", TarnServer.CREDENTIALS.secretKey());
    MeasuredCommand.run(command, run.scratch().resolve("pack.log"));
  }

  private static void compare(Run run, TarnServer tarn, EpochReads reads) throws IOException {
    int inFlight = reads.bestConcurrency();
    warmUp(reads, run.effort().warmUp());
    Comparison comparison =
        Comparison.alternate(
            run.effort().rounds(),
            withServerCpu(tarn, () -> reads.shards(1)),
            withServerCpu(tarn, () -> reads.small(inFlight)));
    run.report()
        .add(
            new Cell(
                NAME,
                "8KiB, GETs %d in flight".formatted(inFlight),
                comparison.ours(Measurement::operationsPerSecond),
                comparison.yardstick(Measurement::operationsPerSecond),
                "samples/s",
                Optional.of(GOAL)));
    run.report()
        .add(
            new Cell(
                NAME,
                "8KiB server",
                comparison.ours(Measurement::cpuMicrosPerOperation),
                comparison.yardstick(Measurement::cpuMicrosPerOperation),
                "us CPU/sample",
                Optional.empty()));
  }

  private static void drain(Run run, EpochReads reads) throws IOException {
    Round ours = () -> reads.shards(Shuffle.SHARDS, 1);
    for (int i = 0; i < WARM_UP_DRAINS; i++) {
      ours.run();
      reads.drain();
    }
    Comparison comparison = Comparison.alternate(run.effort().rounds(), ours, reads::drain);
    run.report()
        .add(
            new Cell(
                NAME,
                "8KiB beside draining the shards",
                comparison.ours(Measurement::operationsPerSecond),
                comparison.yardstick(Measurement::operationsPerSecond),
                "samples/s",
                Optional.of(DRAIN_GOAL)));
  }

  /** Repeats epochs for the duration, since one epoch is too short to warm up the JIT compiler. */
  private static void warmUp(EpochReads reads, Duration duration) throws IOException {
    long start = System.nanoTime();
    while (System.nanoTime() - start < duration.toNanos()) {
      reads.shards(0);
    }
  }

  private static Round withServerCpu(TarnServer tarn, Round reading) {
    return () -> {
      long before = ProcessCpu.nanos(tarn.pid());
      Measurement sample = reading.run();
      long cpu = ProcessCpu.nanos(tarn.pid()) - before;
      return new Measurement(sample.operations(), sample.bytes(), sample.elapsedNanos(), cpu);
    };
  }
}
