package dev.tarn.benchmarks.server;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A child process whose output goes to a file. Closing ends it. */
public final class ServerProcess implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(10);
  private static final long STOP_SECONDS_MAX = 30;
  private static final int LOG_LINES_MAX = 20;

  private final Process process;
  private final Path log;

  private ServerProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Starts a command. */
  public static ServerProcess start(ProcessBuilder command, Path log) throws IOException {
    requireNonNull(log, "log is null");
    Process process = command.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    return new ServerProcess(process, log);
  }

  /** Looks for a sign that the server is up; empty until then. */
  @FunctionalInterface
  public interface Sign<T> {
    Optional<T> look() throws IOException;
  }

  /**
   * Waits for the sign.
   *
   * @throws IOException with the last lines of the output if the process ends without the sign or
   *     the timeout passes
   */
  public <T> T await(Sign<T> sign, Duration timeout) throws IOException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (System.nanoTime() < deadline) {
      // Read before the sign: a process that gives the sign and then ends has succeeded.
      boolean alive = process.isAlive();
      Optional<T> seen = sign.look();
      if (seen.isPresent()) {
        return seen.orElseThrow();
      }
      if (!alive) {
        throw new IOException(
            "%s ended with code %d: %s".formatted(name(), process.exitValue(), tail()));
      }
      pause();
    }
    throw new IOException("%s is not up after %s: %s".formatted(name(), timeout, tail()));
  }

  private static void pause() {
    try {
      Thread.sleep(POLL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a server started", e);
    }
  }

  /** The process of the command. */
  public ProcessHandle handle() {
    return process.toHandle();
  }

  private String name() {
    return process.info().command().orElse("the server");
  }

  private String tail() throws IOException {
    List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
    return lines.stream()
        .skip(Math.max(0, lines.size() - LOG_LINES_MAX))
        .collect(Collectors.joining(System.lineSeparator()));
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
