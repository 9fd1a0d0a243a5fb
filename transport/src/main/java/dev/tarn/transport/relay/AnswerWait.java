package dev.tarn.transport.relay;

import java.util.concurrent.TimeUnit;

/**
 * How long a target may leave all probes and calls unanswered.
 *
 * <p>A delay of this process is no silence of the target: its answers may have arrived unread. Late
 * ticks show how long this process has waited for the processor, and the wait is longer by that
 * time. Several late ticks show a busy machine, which the target may share. A thread with much work
 * waits there longer than a timer, so the target gets ten times the delay, within a bound.
 *
 * <p>For one thread.
 */
final class AnswerWait {
  private static final long USUAL_NANOS = TimeUnit.MILLISECONDS.toNanos(1300);
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(TargetHealth.TICK_MS);

  /** Ticks that are later than this show a busy machine, if there are several. */
  private static final long LATE_NANOS_USUAL = TimeUnit.MILLISECONDS.toNanos(10);

  private static final int LATE_TICKS_MIN = 3;

  /** The extra wait, as a multiple of a tick's delay. */
  private static final int EXTRA_FACTOR = 10;

  private static final long EXTRA_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

  private long sinceNanos;
  private long lastTickNanos;
  private long extraNanos;
  private int lateTicks;

  /** Begins to wait. */
  void begin(long now) {
    sinceNanos = now;
    lastTickNanos = now;
    extraNanos = 0;
    lateTicks = 0;
  }

  /** Notes a tick, which was due {@link TargetHealth#TICK_MS} after the last; returns its delay. */
  long tick(long now) {
    long lateNanos = Math.max(0, now - lastTickNanos - TICK_NANOS);
    sinceNanos += lateNanos;
    lastTickNanos = now;
    if (lateNanos > LATE_NANOS_USUAL && ++lateTicks >= LATE_TICKS_MIN) {
      long extra = extraNanos + (lateNanos - LATE_NANOS_USUAL) * EXTRA_FACTOR;
      extraNanos = Math.min(extra, EXTRA_NANOS_MAX);
    }
    return lateNanos;
  }

  /** When the wait began; later by the delays of this process. */
  long sinceNanos() {
    return sinceNanos;
  }

  /** Whether the target has had its time. */
  boolean isOver(long now) {
    return now - sinceNanos >= USUAL_NANOS + extraNanos;
  }
}
