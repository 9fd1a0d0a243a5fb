package dev.tarn.cluster.target;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The time by which a call must begin. A call that has begun may take longer, since a large object
 * takes its time; a call that still waits is refused with {@link Failure.DeadlinePassed}.
 *
 * @param nanos by {@link System#nanoTime()} of this process, so messages carry the remaining time
 */
public record Deadline(long nanos) {
  /** The call may wait forever. */
  public static final Deadline NONE = new Deadline(Long.MAX_VALUE);

  /** The deadline this long from now. */
  public static Deadline in(Duration wait) {
    return new Deadline(System.nanoTime() + wait.toNanos());
  }

  /** Whether there is no deadline. */
  public boolean isNone() {
    return nanos == Long.MAX_VALUE;
  }

  /** Whether the deadline has passed. */
  public boolean hasPassed() {
    return !isNone() && nanos - System.nanoTime() <= 0;
  }

  /** The milliseconds until the deadline, rounded up; 0 or less after it. Needs a deadline. */
  public long remainingMs() {
    return -Math.floorDiv(System.nanoTime() - nanos, TimeUnit.MILLISECONDS.toNanos(1));
  }

  /** The refusal of a call that must not begin any more. */
  public Failure refusal() {
    return new Failure.DeadlinePassed(Math.max(0, -remainingMs()));
  }
}
