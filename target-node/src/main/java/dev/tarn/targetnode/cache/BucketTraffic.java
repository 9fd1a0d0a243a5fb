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
    FETCHED_BYTES(3),
    /** Requests to the backend for bytes. */
    FETCHES(4),
    /** Those that failed. */
    FETCH_ERRORS(5),
    /** The time until the backend's answers began, in microseconds. */
    FETCH_MICROS(6);

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
  private final AtomicLong slowest = new AtomicLong();
  private final AtomicLong slowestOfStep = new AtomicLong();
  private final long[] slowestOfSteps = new long[STEPS];
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

  /**
   * A request to the backend for bytes has ended.
   *
   * @param micros until its answer began, or it failed
   */
  void addFetch(long micros, boolean isError) {
    add(Figure.FETCHES, 1);
    add(Figure.FETCH_MICROS, micros);
    if (isError) {
      add(Figure.FETCH_ERRORS, 1);
    }
    slowest.accumulateAndGet(micros, Math::max);
    slowestOfStep.accumulateAndGet(micros, Math::max);
  }

  /** The longest time of a fetch since the start, in microseconds. */
  public long slowestFetchSinceStart() {
    return slowest.get();
  }

  /**
   * The longest time of a fetch that ended in the last time, in microseconds.
   *
   * @param time at most an hour
   */
  public long slowestFetchOfLast(Duration time) {
    roll();
    rolling.lock();
    try {
      long most = slowestOfStep.get();
      for (long ended = firstStepOf(time); ended < step.get(); ended++) {
        most = Math.max(most, slowestOfSteps[(int) (ended % STEPS)]);
      }
      return most;
    } finally {
      rolling.unlock();
    }
  }

  /**
   * The most that was counted within ten seconds of the last time.
   *
   * @param time at most an hour
   * @param figures that are counted together
   */
  public long busiestOfLast(Duration time, Figure... figures) {
    roll();
    rolling.lock();
    try {
      long most = 0;
      for (long each = firstStepOf(time); each <= step.get(); each++) {
        long counted = 0;
        for (Figure figure : figures) {
          counted += atEndOf(each, figure) - atEndOf(each - 1, figure);
        }
        most = Math.max(most, counted);
      }
      return most;
    } finally {
      rolling.unlock();
    }
  }

  /** For how many seconds {@link #ofLast} counts, at least one. */
  public long secondsOfLast(Duration time) {
    roll();
    long since = firstStepOf(time) * STEP.toNanos();
    return Math.max(1, Duration.ofNanos(nanos.getAsLong() - startNanos - since).toSeconds());
  }

  private long firstStepOf(Duration time) {
    return Math.max(0, step.get() - time.dividedBy(STEP));
  }

  /** The count at the end of a step; now, if it has not ended. */
  private long atEndOf(long of, Figure figure) {
    if (of < 0) {
      return 0;
    }
    return of == step.get()
        ? totals.get(figure.place)
        : atStepEnds[(int) (of % STEPS)][figure.place];
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
      return totals.get(figure.place) - atEndOf(firstStepOf(time) - 1, figure);
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
        slowestOfSteps[(int) (ended % STEPS)] = slowestOfStep.getAndSet(0);
      }
      step.set(Math.max(step.get(), now));
    } finally {
      rolling.unlock();
    }
  }
}
