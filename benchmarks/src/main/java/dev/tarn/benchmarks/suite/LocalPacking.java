package dev.tarn.benchmarks.suite;

import dev.tarn.benchmarks.measure.Comparison;
import dev.tarn.benchmarks.measure.Measurement;
import dev.tarn.benchmarks.measure.Measurements;
import dev.tarn.benchmarks.measure.Round;
import dev.tarn.benchmarks.report.Cell;
import dev.tarn.benchmarks.report.Goal;
import dev.tarn.benchmarks.server.ScratchFolder;
import dev.tarn.benchmarks.server.TarnHome;
import dev.tarn.benchmarks.yardstick.HashOnce;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Packs from a folder to a folder. The yardsticks are GNU tar and Python's webdataset. Shuffled
 * packing is compared with unshuffled packing, and all passes over the shards with hashing their
 * bytes once.
 */
final class LocalPacking {
  private static final int JOBS = 2;
  private static final double MEBIBYTE = 1 << 20;
  private static final Goal TAR_GOAL = new Goal.RatioAtLeast(1.0);
  private static final Goal WEBDATASET_GOAL = new Goal.RatioAtLeast(3);
  private static final Goal SHUFFLE_GOAL = new Goal.RatioAtMost(1.3);
  private static final Goal PASS_GOAL = new Goal.RatioAtLeast(0.6);
  private static final Goal MEMORY_GOAL = new Goal.AtMost(PackBenchmark.MEMORY_MIB);
  private static final double NANOS_PER_SECOND = 1e9;

  /** The shard size for packing again, which differs from the size of the input shards. */
  private static final String ANEW = "100MiB";

  private final Run run;
  private final Corpus corpus;
  private final Path scratch;
  private final Path files;
  private final List<CommandRound> ours = new ArrayList<>();

  private LocalPacking(Run run, Corpus corpus, Path scratch) {
    this.run = run;
    this.corpus = corpus;
    this.scratch = scratch;
    this.files = scratch.resolve("files");
  }

  static void measure(Run run, Corpus corpus) throws IOException {
    try (ScratchFolder scratch = ScratchFolder.create(run.scratch())) {
      LocalPacking packing = new LocalPacking(run, corpus, scratch.path());
      corpus.write(Files.createDirectory(packing.files));
      packing.packs();
      packing.passes();
      packing.memory();
    }
  }

  private void packs() throws IOException {
    Path packed = scratch.resolve("packed");
    String archive = packed.resolve("all.tar").toString();
    TarnHome home = run.home();
    List<Round> sides =
        List.of(
            sharder("pack", files.toString(), packed.toString()).into(packed),
            sharder("pack", "--seed", "1", files.toString(), packed.toString()).into(packed),
            command("sh", "-c", "tar -cf \"$1\" -C \"$2\" . && sync \"$1\"", "tar", archive, files)
                .into(packed),
            command(
                    "sh",
                    "-c",
                    "\"$(\"$1\" | tail -n 1)\" \"$2\" \"$3\" \"$4\"",
                    "webdataset",
                    home.script("install-webdataset"),
                    home.script("write_shards.py"),
                    files,
                    packed)
                .into(packed));
    // Warm-up: fills the page cache, and builds or fetches what a side needs.
    for (Round side : sides) {
      side.run();
    }
    List<Measurements> measured = Comparison.alternate(run.effort().rounds(), sides);
    rate("beside GNU tar", measured.get(0), measured.get(2), TAR_GOAL);
    rate("beside webdataset", measured.get(0), measured.get(3), WEBDATASET_GOAL);
    add(
        "shuffled beside not",
        measured.get(1).median(LocalPacking::seconds),
        measured.get(0).median(LocalPacking::seconds),
        "s",
        SHUFFLE_GOAL);
  }

  private void passes() throws IOException {
    Path dataset = scratch.resolve("dataset");
    sharder("pack", files.toString(), dataset.toString()).run();
    HashOnce hashing = new HashOnce(JOBS);
    Round hashOnce =
        () -> {
          long start = System.nanoTime();
          long bytes = hashing.read(dataset, ".tar");
          return new Measurement(corpus.count(), bytes, System.nanoTime() - start, 0);
        };
    Path anew = scratch.resolve("anew");
    List<Round> sides =
        List.of(
            sharder("verify", dataset.toString()),
            sharder(
                    "reshard",
                    "--seed",
                    "1",
                    "--max-size",
                    ANEW,
                    dataset.toString(),
                    anew.toString())
                .into(anew),
            hashOnce);
    for (Round side : sides) {
      side.run();
    }
    List<Measurements> measured = Comparison.alternate(run.effort().rounds(), sides);
    rate("verify beside one hash", measured.get(0), measured.get(2), PASS_GOAL);
    rate("reshard beside one hash", measured.get(1), measured.get(2), PASS_GOAL);
  }

  private CommandRound sharder(String command, String... arguments) {
    List<String> whole = new ArrayList<>(List.of(run.home().sharder().toString(), command));
    whole.addAll(List.of("--jobs", String.valueOf(JOBS)));
    whole.addAll(List.of(arguments));
    CommandRound round = command(whole.toArray());
    ours.add(round);
    return round;
  }

  private CommandRound command(Object... words) {
    List<String> command = new ArrayList<>();
    for (Object word : words) {
      command.add(word.toString());
    }
    return new CommandRound(corpus, scratch.resolve("command.log"), Map.of(), command);
  }

  private static double seconds(Measurement sample) {
    return sample.elapsedNanos() / NANOS_PER_SECOND;
  }

  private void rate(String what, Measurements measured, Measurements yardstick, Goal goal) {
    add(
        what,
        measured.median(Measurement::operationsPerSecond),
        yardstick.median(Measurement::operationsPerSecond),
        "files/s",
        goal);
  }

  private void memory() {
    long peak = ours.stream().mapToLong(CommandRound::peakAnonymousBytes).max().orElse(0);
    add("peak anonymous, its bound", peak / MEBIBYTE, PackBenchmark.MEMORY_MIB, "MiB", MEMORY_GOAL);
  }

  private void add(String what, double measured, double yardstick, String unit, Goal goal) {
    String cell = "%s %s".formatted(corpus.name(), what);
    run.report()
        .add(new Cell(PackBenchmark.NAME, cell, measured, yardstick, unit, Optional.of(goal)));
  }
}
