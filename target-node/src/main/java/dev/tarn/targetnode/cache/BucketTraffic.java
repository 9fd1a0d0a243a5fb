package dev.tarn.targetnode.cache;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * What is read of a cached bucket: counts since the start, and of the last minutes up to an hour.
 * Safe for use by many threads.
 */
public final class BucketTraffic {
  /** What is counted. */
  public enum Figure {
    /** Reads whose bytes were all here. */
    HITS(0),
    /** Reads that needed bytes of the backend. */
    MISSES(1),
    /** Bytes served from the disk. */
    HIT_BYTES(2),
    /** Bytes read from the backend. */
    FETCHED_BYTES(3);

    private final int place;

    Figure(int place) {
      this.place = place;
    }
  }

  private static final int FIGURES = Figure.values().length;
  private static final Duration STEP = Duration.ofSeconds(10);

  /** The counts at the end of each step of the last hour, and a little more. */
  private static final int STEPS = (int) (Duration.ofHours(1).dividedBy(STEP) + 1);

  private final LongSupplier nanos;
  private final long startNanos;
  private final AtomicLongArray totals = new AtomicLongArray(FIGURES);
  private final long[][] atStepEnds = new long[STEPS][FIGURES];
  private final AtomicLong step = new AtomicLong();
  private final ReentrantLock rolling = new ReentrantLock();

  /**
   * Counts nothing yet.
   *
   * @param nanos a time that never goes back, in nanoseconds
   */
  public BucketTraffic(LongSupplier nanos) {
    this.nanos = nanos;
    this.startNanos = nanos.getAsLong();
  }

  /** Counts. */
  void add(Figure figure, long count) {
    roll();
    totals.addAndGet(figure.place, count);
  }

  /** The count since the start. */
  public long sinceStart(Figure figure) {
    return totals.get(figure.place);
  }

  /**
   * The count of the last time, to within ten seconds.
   *
   * @param time at most an hour
   */
  public long ofLast(Duration time, Figure figure) {
    roll();
    rolling.lock();
    try {
      long since = step.get() - time.dividedBy(STEP);
      long before = since <= 0 ? 0 : atStepEnds[(int) ((since - 1) % STEPS)][figure.place];
      return totals.get(figure.place) - before;
    } finally {
      rolling.unlock();
    }
  }

  /** Keeps the counts of the steps that have ended. */
  private void roll() {
    long now = (nanos.getAsLong() - startNanos) / STEP.toNanos();
    if (step.get() == now) {
      return;
    }
    rolling.lock();
    try {
      for (long ended = Math.max(step.get(), now - STEPS); ended < now; ended++) {
        long[] counts = atStepEnds[(int) (ended % STEPS)];
        for (int figure = 0; figure < FIGURES; figure++) {
          counts[figure] = totals.get(figure);
        }
      }
      step.set(Math.max(step.get(), now));
    } finally {
      rolling.unlock();
    }
  }
}
