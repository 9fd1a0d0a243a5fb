package dev.tarn.standalone.cluster;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Pacing;
import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Growing pauses between attempts, 50 ms to 1 s each, until a time limit is reached. */
public final class Backoff {
  private static final Duration PAUSE_MIN = Duration.ofMillis(50);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(1);

  private final Duration max;
  private final Pacing pacing;
  private final LongSupplier nanoTime;
  private final long begunNanos;
  private Duration pause = PAUSE_MIN;

  /**
   * Starts the time limit now.
   *
   * @param max the time from now in which attempts begin; zero for a single attempt
   * @param nanoTime as {@link System#nanoTime}
   */
  public Backoff(Duration max, Pacing pacing, LongSupplier nanoTime) {
    this.max = requireNonNull(max, "max is null");
    this.pacing = requireNonNull(pacing, "pacing is null");
    this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
    this.begunNanos = nanoTime.getAsLong();
  }

  /** A back-off with real pauses; the time limit starts now. */
  public static Backoff of(Duration max) {
    return new Backoff(max, Pacing.REAL, System::nanoTime);
  }

  /** The time limit. */
  public Duration max() {
    return max;
  }

  /** Pauses before the next attempt. Returns false, without a pause, once the limit is reached. */
  public boolean again() throws IOException {
    Duration left = max.minusNanos(nanoTime.getAsLong() - begunNanos);
    if (!left.isPositive()) {
      return false;
    }
    try {
      pacing.pause(pause.compareTo(left) < 0 ? pause : left);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting", e);
    }
    Duration longer = pause.plus(pause.dividedBy(2));
    pause = longer.compareTo(PAUSE_MAX) < 0 ? longer : PAUSE_MAX;
    return true;
  }
}
