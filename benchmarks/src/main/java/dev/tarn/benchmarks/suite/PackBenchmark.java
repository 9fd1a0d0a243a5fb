package dev.tarn.benchmarks.suite;

import dev.tarn.benchmarks.measure.Comparison;
import dev.tarn.benchmarks.measure.MeasuredCommand;
import dev.tarn.benchmarks.measure.Round;
import dev.tarn.benchmarks.measure.Sample;
import dev.tarn.benchmarks.report.Cell;
import dev.tarn.benchmarks.report.Goal;
import dev.tarn.benchmarks.server.ScratchFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code bin/sharder pack} of many small files beside GNU tar of the same, from launch to exit. */
final class PackBenchmark implements Benchmark {
  private static final String NAME = "pack";
  private static final Goal RATE_GOAL = new Goal.RatioAtLeast(0.7);
  private static final double MEBIBYTE = 1 << 20;
  private static final Goal MEMORY_GOAL = new Goal.AtMost(256);

  @Override
  public void run(Run run) throws IOException {
    Corpus corpus = Corpus.kibibytes(8, run.effort().count(100_000, 2_000));
    Path files = Files.createDirectory(run.scratch().resolve("files"));
    corpus.write(files);
    Path destination = run.scratch().resolve("packed");
    String source = files.toString();
    Side ours =
        new Side(
            run.scratch(),
            corpus,
            destination,
            List.of(run.home().sharder().toString(), "pack", source, destination.toString()));
    Side tar =
        new Side(
            run.scratch(),
            corpus,
            destination,
            List.of("tar", "-cf", destination.resolve("all.tar").toString(), "-C", source, "."));
    // Once each: the files are in the page cache, the launcher has built what was not built.
    ours.run();
    tar.run();
    Comparison comparison = Comparison.alternate(run.effort().rounds(), ours, tar);
    run.report()
        .add(
            new Cell(
                NAME,
                "%d files of 8KiB".formatted(corpus.count()),
                comparison.ours(Sample::operationsPerSecond),
                comparison.yardstick(Sample::operationsPerSecond),
                "files/s",
                Optional.of(RATE_GOAL)));
    run.report()
        .add(
            new Cell(
                NAME,
                "peak anonymous memory",
                ours.peakAnonymousBytes() / MEBIBYTE,
                tar.peakAnonymousBytes() / MEBIBYTE,
                "MiB",
                Optional.of(MEMORY_GOAL)));
  }

  /** One of the two packers. */
  private static final class Side implements Round {
    private final Path scratch;
    private final Corpus corpus;
    private final Path destination;
    private final List<String> command;
    private final List<Long> peaks = new ArrayList<>();

    Side(Path scratch, Corpus corpus, Path destination, List<String> command) {
      this.scratch = scratch;
      this.corpus = corpus;
      this.destination = destination;
      this.command = command;
    }

    @Override
    public Sample run() throws IOException {
      Files.createDirectory(destination);
      try {
        MeasuredCommand measured =
            MeasuredCommand.run(new ProcessBuilder(command), scratch.resolve("pack.log"));
        peaks.add(measured.peakAnonymousBytes());
        long bytes = (long) corpus.count() * corpus.fileBytes();
        return new Sample(corpus.count(), bytes, measured.elapsedNanos(), 0);
      } finally {
        new ScratchFolder(destination).close();
      }
    }

    long peakAnonymousBytes() {
      return peaks.stream().mapToLong(Long::longValue).max().orElse(0);
    }
  }
}
