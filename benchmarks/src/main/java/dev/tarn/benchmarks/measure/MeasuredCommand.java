package dev.tarn.benchmarks.measure;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The measurement of a command from start to exit.
 *
 * @param peakAnonymousBytes the peak of its anonymous memory, sampled every 10 ms
 */
public record MeasuredCommand(long elapsedNanos, long peakAnonymousBytes) {
  private static final long LOOK_MS = 10;

  /**
   * Runs a command that must succeed.
   *
   * @param log the file for its output
   */
  public static MeasuredCommand run(ProcessBuilder command, Path log) throws IOException {
    requireNonNull(log, "log is null");
    long start = System.nanoTime();
    Process process = command.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      long peak = 0;
      while (!process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS)) {
        peak = Math.max(peak, ProcessMemory.anonymousBytes(process.pid()));
      }
      long elapsed = System.nanoTime() - start;
      if (process.exitValue() != 0) {
        throw new IOException(
            "%s ended with code %d: %s"
                .formatted(command.command(), process.exitValue(), Files.readString(log)));
      }
      return new MeasuredCommand(elapsed, peak);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for " + command.command(), e);
    } finally {
      process.destroy();
    }
  }
}
