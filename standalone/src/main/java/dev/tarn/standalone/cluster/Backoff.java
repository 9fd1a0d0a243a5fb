package dev.tarn.standalone.cluster;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Pacing;
import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Pauses between attempts, each longer than the last, until a limit is reached. */
public final class Backoff {
  private static final Duration PAUSE_MIN = Duration.ofMillis(50);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(1);

  private final Duration max;
  private final Pacing pacing;
  private final LongSupplier nanoTime;
  private final long begunNanos;
  private Duration pause = PAUSE_MIN;

  /**
   * Begins now.
   *
   * @param max the limit of all pauses together; zero for a single attempt
   * @param nanoTime as {@link System#nanoTime}
   */
  public Backoff(Duration max, Pacing pacing, LongSupplier nanoTime) {
    this.max = requireNonNull(max, "max is null");
    this.pacing = requireNonNull(pacing, "pacing is null");
    this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
    this.begunNanos = nanoTime.getAsLong();
  }

  /** Real pauses, beginning now. */
  public static Backoff of(Duration max) {
    return new Backoff(max, Pacing.REAL, System::nanoTime);
  }

  /** The limit of all pauses together. */
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
