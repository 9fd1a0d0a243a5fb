package dev.tarn.benchmarks.suite;

import dev.tarn.benchmarks.measure.Comparison;
import dev.tarn.benchmarks.measure.Measurement;
import dev.tarn.benchmarks.measure.Measurements;
import dev.tarn.benchmarks.measure.Round;
import dev.tarn.benchmarks.report.Cell;
import dev.tarn.benchmarks.report.Goal;
import dev.tarn.benchmarks.server.ScratchFolder;
import dev.tarn.benchmarks.server.TarnServer;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Packs from a bucket of a local Tarn into the same bucket. The yardstick GETs and discards the
 * same objects through the same client at its best concurrency.
 */
final class RemotePacking {
  private static final StorageUrl PACKED =
      StorageUrl.parse("s3://" + BenchmarkBucket.NAME + "/packed");
  private static final Goal GOAL = new Goal.RatioAtLeast(0.5);
  private static final Goal MEMORY_GOAL = new Goal.AtMost(PackBenchmark.MEMORY_MIB);
  private static final double MEBIBYTE = 1 << 20;

  private RemotePacking() {}

  static void measure(Run run, Corpus corpus) throws IOException {
    try (ScratchFolder scratch = ScratchFolder.create(run.scratch());
        TarnServer tarn = TarnServer.start(run.home(), scratch.path());
        Storage storage = Storage.open(tarn.storageOptions())) {
      BenchmarkBucket.create(tarn.address());
      BenchmarkBucket.upload(tarn.address(), corpus.entries());
      EpochReads reads = new EpochReads(storage, corpus);
      CommandRound packing =
          new CommandRound(
              corpus,
              run.scratch().resolve("remote.log"),
              Map.of(
                  "AWS_ACCESS_KEY_ID",
                  TarnServer.CREDENTIALS.accessKey(),
                  "AWS_SECRET_ACCESS_KEY",
                  TarnServer.CREDENTIALS.secretKey()),
              List.of(
                  run.home().sharder().toString(),
                  "pack",
                  EpochReads.objects(corpus).toString(),
                  PACKED.toString(),
                  "--endpoint-url",
                  tarn.endpoint().toString()));
      int inFlight = reads.bestConcurrency();
      Round ours =
          () -> {
            Measurement sample = packing.run();
            clear(storage);
            return sample;
          };
      ours.run();
      List<Measurements> measured =
          Comparison.alternate(run.effort().rounds(), List.of(ours, () -> reads.small(inFlight)));
      report(run, corpus, measured, packing.peakAnonymousBytes(), inFlight);
    }
  }

  private static void clear(Storage storage) throws IOException {
    try (Stream<StoredObject> shards = storage.list(PACKED)) {
      for (StoredObject shard : shards.toList()) {
        storage.delete(shard.url());
      }
    }
  }

  private static void report(
      Run run, Corpus corpus, List<Measurements> measured, long peakBytes, int inFlight) {
    String what = corpus.name() + " S3 to S3";
    run.report()
        .add(
            new Cell(
                PackBenchmark.NAME,
                "%s, GETs %d in flight".formatted(what, inFlight),
                measured.get(0).median(Measurement::operationsPerSecond),
                measured.get(1).median(Measurement::operationsPerSecond),
                "objects/s",
                Optional.of(GOAL)));
    run.report()
        .add(
            new Cell(
                PackBenchmark.NAME,
                what + " peak anonymous, its bound",
                peakBytes / MEBIBYTE,
                PackBenchmark.MEMORY_MIB,
                "MiB",
                Optional.of(MEMORY_GOAL)));
  }
}
