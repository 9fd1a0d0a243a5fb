package dev.tarn.benchmarks.suite;

import dev.tarn.benchmarks.load.Expectation;
import dev.tarn.benchmarks.load.PayloadHash;
import dev.tarn.benchmarks.load.PreparedRequest;
import dev.tarn.benchmarks.load.Requests;
import dev.tarn.benchmarks.measure.Comparison;
import dev.tarn.benchmarks.measure.Measurement;
import dev.tarn.benchmarks.report.Cell;
import dev.tarn.benchmarks.report.Goal;
import dev.tarn.benchmarks.server.TarnServer;
import dev.tarn.benchmarks.yardstick.AppendLoad;
import dev.tarn.benchmarks.yardstick.HashAndWrite;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Durable PUT with SigV4 and MD5. The yardstick for small objects is an appender with group commit
 * on the same disk. The yardstick for large objects hashes and writes the same bytes.
 */
final class PutBenchmark implements Benchmark {
  private static final String NAME = "put";
  private static final List<Integer> WRITERS = List.of(1, 16, 64);
  private static final Goal SMALL_GOAL = new Goal.AtLeastOrRatio(10_000, 0.5);
  private static final int SMALL_GOAL_WRITERS = 64;
  private static final int SMALL_KEYS = 50_000;
  private static final Goal LARGE_GOAL = new Goal.RatioAtMost(1.3);
  private static final int LARGE_WRITERS = 2;

  @Override
  public void run(Run run) throws IOException {
    Path ours = Files.createDirectory(run.scratch().resolve("tarn"));
    try (TarnServer tarn = TarnServer.start(run.home(), ours)) {
      BenchmarkBucket.create(tarn.address());
      for (int writers : WRITERS) {
        small(run, tarn, writers);
      }
      Corpus.Entry large = Corpus.mebibytes(64, 1).entry(0);
      large(run, tarn, large, "64MiB", PayloadHash.SIGNED);
      large(run, tarn, large, "64MiB unsigned payload", PayloadHash.UNSIGNED);
    }
  }

  private static void small(Run run, TarnServer tarn, int writers) throws IOException {
    Corpus.Entry entry = Corpus.kibibytes(8, 1).entry(0);
    int keys = run.effort().count(SMALL_KEYS, 5_000);
    HttpLoad ours =
        new HttpLoad(
            tarn.address(),
            List.of(tarn.pid()),
            writers,
            () -> puts(tarn, entry.content(), PayloadHash.SIGNED, keys));
    AppendLoad yardstick = new AppendLoad(run.scratch(), entry.content(), writers);
    Duration duration = run.effort().round();
    ours.warmUp(run);
    yardstick.run(run.effort().warmUp());
    Comparison comparison =
        Comparison.alternate(run.effort().rounds(), ours.round(run), () -> yardstick.run(duration));
    String cell = "8KiB " + writers + (writers == 1 ? " writer" : " writers");
    run.report()
        .add(
            new Cell(
                NAME,
                cell,
                comparison.ours(Measurement::operationsPerSecond),
                comparison.yardstick(Measurement::operationsPerSecond),
                "durable PUT/s",
                writers == SMALL_GOAL_WRITERS ? Optional.of(SMALL_GOAL) : Optional.empty()));
    run.report().add(cpu(cell + " CPU", comparison, Optional.empty()));
  }

  private static void large(
      Run run, TarnServer tarn, Corpus.Entry entry, String cell, PayloadHash payloadHash)
      throws IOException {
    HttpLoad ours =
        new HttpLoad(
            tarn.address(),
            List.of(tarn.pid()),
            LARGE_WRITERS,
            () -> puts(tarn, entry.content(), payloadHash, LARGE_WRITERS));
    HashAndWrite yardstick = new HashAndWrite(run.scratch(), entry.content());
    Duration duration = run.effort().round();
    ours.warmUp(run);
    yardstick.run(run.effort().warmUp());
    Comparison comparison =
        Comparison.alternate(run.effort().rounds(), ours.round(run), () -> yardstick.run(duration));
    run.report().add(cpu(cell, comparison, Optional.of(LARGE_GOAL)));
  }

  private static Cell cpu(String cell, Comparison comparison, Optional<Goal> goal) {
    return new Cell(
        NAME,
        cell,
        comparison.ours(Measurement::cpuMicrosPerOperation),
        comparison.yardstick(Measurement::cpuMicrosPerOperation),
        "us CPU/request",
        goal);
  }

  private static List<PreparedRequest> puts(
      TarnServer tarn, ByteBuffer body, PayloadHash payloadHash, int keys) {
    Requests requests = BenchmarkBucket.signed(tarn.address());
    return IntStream.range(0, keys)
        .mapToObj(key ->
            requests.put(
                BenchmarkBucket.path("put-%d/%06d".formatted(body.remaining(), key)),
                body,
                payloadHash,
                Expectation.status(200)))
        .toList();
  }
}
