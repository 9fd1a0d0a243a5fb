package dev.tarn.benchmarks.suite;

import static java.util.Objects.requireNonNull;

import dev.tarn.benchmarks.measure.MeasuredCommand;
import dev.tarn.benchmarks.measure.Measurement;
import dev.tarn.benchmarks.measure.Round;
import dev.tarn.benchmarks.server.ScratchFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A round of a command that processes all files of a corpus, from launch to exit. */
final class CommandRound implements Round {
  private final Corpus corpus;
  private final Path log;
  private final ProcessBuilder command;
  private long peakAnonymousBytes;

  /**
   * @param environment variables for the command, added to this process's environment
   * @param log the file for its output
   */
  CommandRound(Corpus corpus, Path log, Map<String, String> environment, List<String> command) {
    this.corpus = requireNonNull(corpus, "corpus is null");
    this.log = requireNonNull(log, "log is null");
    this.command = new ProcessBuilder(command);
    this.command.environment().putAll(environment);
  }

  @Override
  public Measurement run() throws IOException {
    MeasuredCommand measured = MeasuredCommand.run(command, log);
    peakAnonymousBytes = Math.max(peakAnonymousBytes, measured.peakAnonymousBytes());
    long bytes = (long) corpus.count() * corpus.fileBytes();
    return new Measurement(corpus.count(), bytes, measured.elapsedNanos(), 0);
  }

  /**
   * The same round with an output folder. Creating it before and removing it after is not timed.
   */
  Round into(Path folder) {
    return () -> {
      Files.createDirectory(folder);
      try {
        return run();
      } finally {
        new ScratchFolder(folder).close();
      }
    };
  }

  /** The peak of the command's anonymous memory over all runs, in bytes. */
  long peakAnonymousBytes() {
    return peakAnonymousBytes;
  }
}
