package dev.tarn.benchmarks.suite;

import dev.tarn.benchmarks.measure.Comparison;
import dev.tarn.benchmarks.measure.MeasuredCommand;
import dev.tarn.benchmarks.measure.Measurement;
import dev.tarn.benchmarks.measure.Measurements;
import dev.tarn.benchmarks.measure.Round;
import dev.tarn.benchmarks.report.Cell;
import dev.tarn.benchmarks.report.Goal;
import dev.tarn.benchmarks.server.ScratchFolder;
import dev.tarn.benchmarks.yardstick.TarHeaderWalk;
import dev.tarn.client.SampleIterator;
import dev.tarn.client.ShardDataset;
import dev.tarn.client.write.ShardWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Epochs of local shards in the page cache, with one consumer that touches each byte. The
 * yardsticks are a walk over the headers of the same archives, and Python's webdataset.
 */
final class EpochParsing {
  private static final Goal WALK_GOAL = new Goal.RatioAtLeast(0.8);
  private static final Goal SMALL_GOAL = new Goal.RatioAtLeast(10);
  private static final Goal LARGE_GOAL = new Goal.RatioAtLeast(4);
  private static final int LARGE_BYTES = 100_000;
  private static final long SHARD_BYTES = 64L << 20;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Run run;
  private final Corpus corpus;
  private final Path shards;

  private EpochParsing(Run run, Corpus corpus, Path shards) {
    this.run = run;
    this.corpus = corpus;
    this.shards = shards;
  }

  /** The sizes of samples, and how many of each. */
  static List<Corpus> corpora(Effort effort) {
    return List.of(
        Corpus.kibibytes(1, effort.count(300_000, 2_000)),
        Corpus.kibibytes(10, effort.count(40_000, 500)),
        new Corpus("110KB", 110_000, effort.count(4_000, 50)));
  }

  static void measure(Run run, Corpus corpus) throws IOException {
    try (ScratchFolder scratch = ScratchFolder.create(run.scratch())) {
      EpochParsing parsing = new EpochParsing(run, corpus, scratch.path());
      parsing.write();
      parsing.compare();
    }
  }

  private void write() throws IOException {
    try (ShardWriter writer =
        ShardWriter.builder(shards.toString()).bytesMax(SHARD_BYTES).build()) {
      for (int i = 0; i < corpus.count(); i++) {
        byte[] content = new byte[corpus.fileBytes()];
        corpus.entry(i).content().get(content);
        writer.write("%08d".formatted(i), Map.of("bin", content));
      }
      writer.commit();
    }
  }

  private void compare() throws IOException {
    TarHeaderWalk walk = new TarHeaderWalk();
    Round walking =
        () -> {
          long start = System.nanoTime();
          TarHeaderWalk.Walked walked = walk.walk(shards);
          return corpus.read(walked.members(), walked.bytes(), System.nanoTime() - start);
        };
    List<Round> sides = List.of(this::read, walking, this::readByWebdataset);
    warmUp(walking);
    List<Measurements> measured = Comparison.alternate(run.effort().rounds(), sides);
    add("parsed beside a tar walk", measured.get(0), measured.get(1), WALK_GOAL);
    Goal goal = corpus.fileBytes() < LARGE_BYTES ? SMALL_GOAL : LARGE_GOAL;
    add("parsed beside webdataset", measured.get(0), measured.get(2), goal);
  }

  private void warmUp(Round walking) throws IOException {
    long start = System.nanoTime();
    while (System.nanoTime() - start < run.effort().warmUp().toNanos()) {
      read();
      walking.run();
    }
  }

  private Measurement read() throws IOException {
    CRC32C touching = new CRC32C();
    long samples = 0;
    long bytes = 0;
    long start = System.nanoTime();
    try (ShardDataset dataset = ShardDataset.builder().manifest(shards.toString()).build();
        SampleIterator iterator = dataset.iterate(0)) {
      while (iterator.hasNext()) {
        var content = iterator.next().get("bin");
        bytes += content.remaining();
        touching.reset();
        touching.update(content);
        samples++;
      }
    }
    return corpus.read(samples, bytes, System.nanoTime() - start);
  }

  /** The script measures its own time, without the start of Python. */
  private Measurement readByWebdataset() throws IOException {
    Path log = run.scratch().resolve("webdataset.log");
    ProcessBuilder command =
        new ProcessBuilder(
            "sh",
            "-c",
            "\"$(\"$1\" | tail -n 1)\" \"$2\" \"$3\"",
            "webdataset",
            run.home().script("install-webdataset").toString(),
            run.home().script("read_shards.py").toString(),
            shards.toString());
    MeasuredCommand.run(command, log);
    String[] said = Files.readAllLines(log).getLast().split(" ", 3);
    long nanos = (long) (Double.parseDouble(said[2]) * NANOS_PER_SECOND);
    return corpus.read(Long.parseLong(said[0]), Long.parseLong(said[1]), nanos);
  }

  private void add(String what, Measurements measured, Measurements yardstick, Goal goal) {
    run.report()
        .add(
            new Cell(
                EpochBenchmark.NAME,
                corpus.name() + " " + what,
                measured.median(Measurement::operationsPerSecond),
                yardstick.median(Measurement::operationsPerSecond),
                "samples/s",
                Optional.of(goal)));
  }
}
