package dev.tarn.targetnode.cache;

import dev.tarn.cluster.wire.TargetReport.Traffic;
import dev.tarn.cluster.wire.TrafficHistory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * What is read of a cached bucket: counts since the start, of the last hour by ten seconds, and of
 * the last day by five minutes. Steps without reads take no memory. Safe for use by many threads.
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

    int place() {
      return place;
    }
  }

  /** The number of figures. */
  static final int FIGURES = Figure.values().length;

  private static final Duration STEP = Duration.ofSeconds(10);
  private static final Duration LONG_STEP = Duration.ofMinutes(5);
  private static final long STEPS_OF_MINUTE = Duration.ofMinutes(1).dividedBy(STEP);
  private static final long STEPS_OF_LONG = LONG_STEP.dividedBy(STEP);

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);

  private final LongSupplier nanos;
  private final long startNanos;
  private final long startMs;
  private final AtomicLongArray totals = new AtomicLongArray(FIGURES);
  private final AtomicLong slowest = new AtomicLong();
  private final AtomicLong slowestOfStep = new AtomicLong();

  /** The number of the present step, counted from 1970. */
  private final AtomicLong step;

  private final ReentrantLock rolling = new ReentrantLock();

  /** The totals when the present step began. */
  private final long[] atStepStart = new long[FIGURES];

  private final TrafficSteps steps = new TrafficSteps((int) HOUR.dividedBy(STEP) + 1);
  private final TrafficSteps longSteps;

  /**
   * Counts nothing yet.
   *
   * @param nanos a time that never goes back, in nanoseconds
   * @param startMs the present time, in milliseconds since 1970
   * @param keepsDay whether the last day is kept, not only the last hour
   */
  public BucketTraffic(LongSupplier nanos, long startMs, boolean keepsDay) {
    this.nanos = nanos;
    this.startNanos = nanos.getAsLong();
    this.startMs = startMs;
    this.step = new AtomicLong(startMs / STEP.toMillis());
    this.longSteps = new TrafficSteps(keepsDay ? (int) DAY.dividedBy(LONG_STEP) + 1 : 1);
  }

  private long nowMs() {
    return startMs + (nanos.getAsLong() - startNanos) / 1_000_000;
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

  /** What was read since the start. The busiest ten seconds are not known. */
  public Traffic sinceStart() {
    TrafficStep all = new TrafficStep(0);
    for (int figure = 0; figure < FIGURES; figure++) {
      all.counts[figure] = totals.get(figure);
    }
    all.slowestFetchMicros = slowest.get();
    return all.traffic(0);
  }

  /**
   * What was read in the last time, to within ten seconds.
   *
   * @param time at most an hour
   */
  public Traffic ofLast(Duration time) {
    roll();
    rolling.lock();
    try {
      long first = step.get() - time.dividedBy(STEP);
      TrafficStep sum = new TrafficStep(first);
      steps.since(first).forEach(sum::add);
      sum.add(present());
      long sinceMs = Math.max(startMs, first * STEP.toMillis());
      return sum.traffic(Math.max(1, (nowMs() - sinceMs) / 1000));
    } finally {
      rolling.unlock();
    }
  }

  /**
   * The last hour by minutes and the last day by five minutes.
   *
   * @param clockMs the present time in milliseconds since 1970; steps are moved by as much as the
   *     clock was set since the start
   */
  public TrafficHistory history(long clockMs) {
    roll();
    rolling.lock();
    try {
      long moved = Math.round((double) (clockMs - nowMs()) / STEP.toMillis());
      long movedLong = Math.round((double) moved / STEPS_OF_LONG);
      TrafficSteps minutes = new TrafficSteps((int) HOUR.toMinutes());
      steps
          .since(step.get() - HOUR.dividedBy(STEP))
          .forEach(each -> minutes.at((each.number + moved) / STEPS_OF_MINUTE).add(each));
      minutes.at((step.get() + moved) / STEPS_OF_MINUTE).add(present());
      TrafficSteps day = new TrafficSteps((int) DAY.dividedBy(LONG_STEP));
      long presentLong = step.get() / STEPS_OF_LONG;
      longSteps
          .since(presentLong - DAY.dividedBy(LONG_STEP) + 1)
          .forEach(each -> day.at(each.number + movedLong).add(each));
      day.at(presentLong + movedLong).add(present());
      return new TrafficHistory(minutes.history(Duration.ofMinutes(1)), day.history(LONG_STEP));
    } finally {
      rolling.unlock();
    }
  }

  /** What was counted in the present step; under the lock. */
  private TrafficStep present() {
    TrafficStep present = new TrafficStep(step.get());
    for (int figure = 0; figure < FIGURES; figure++) {
      present.counts[figure] = totals.get(figure) - atStepStart[figure];
    }
    present.slowestFetchMicros = slowestOfStep.get();
    present.end();
    return present;
  }

  /** Keeps the present step if it has ended, and begins the next. */
  private void roll() {
    long now = nowMs() / STEP.toMillis();
    if (step.get() >= now) {
      return;
    }
    rolling.lock();
    try {
      if (step.get() >= now) {
        return;
      }
      TrafficStep ended = present();
      if (!ended.isEmpty()) {
        for (int figure = 0; figure < FIGURES; figure++) {
          atStepStart[figure] += ended.counts[figure];
        }
        slowestOfStep.set(0);
        steps.at(ended.number).add(ended);
        longSteps.at(ended.number / STEPS_OF_LONG).add(ended);
      }
      step.set(now);
    } finally {
      rolling.unlock();
    }
  }
}
