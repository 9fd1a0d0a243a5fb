package dev.tarn.benchmarks.suite;

import dev.tarn.benchmarks.load.PacedClient;
import dev.tarn.benchmarks.load.PreparedRequest;
import dev.tarn.benchmarks.load.TimedAnswer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/** A steady load in the background, while a scenario does something to the servers. */
final class PacedLoad {
  private static final double NANOS_PER_SECOND = 1e9;

  private PacedLoad() {}

  /**
   * Starts a load.
   *
   * @param requests returns the request of an index, counted from 0
   */
  static CompletableFuture<List<TimedAnswer>> start(
      PacedClient client, int perSecond, int seconds, IntFunction<PreparedRequest> requests) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return client.run(perSecond, Duration.ofSeconds(seconds), requests);
          } catch (IOException e) {
            throw new CompletionException(e);
          }
        },
        Thread::startVirtualThread);
  }

  /** Waits for the end of a load. */
  static List<TimedAnswer> end(CompletableFuture<List<TimedAnswer>> load) throws IOException {
    try {
      return load.join();
    } catch (CompletionException e) {
      throw new IOException("the load failed", e);
    }
  }

  /** Plays the schedule of a load: waits for the end of a phase, or until the next look. */
  static void pause(double seconds) throws IOException {
    try {
      Thread.sleep(Duration.ofNanos(nanos(seconds)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted during a load", e);
    }
  }

  /** The requests that were due between two moments. */
  static Predicate<TimedAnswer> due(long fromNanos, long toNanos) {
    return answer -> answer.dueNanos() > fromNanos && answer.dueNanos() < toNanos;
  }

  static double seconds(long nanos) {
    return nanos / NANOS_PER_SECOND;
  }

  static long nanos(double seconds) {
    return (long) (seconds * NANOS_PER_SECOND);
  }
}
