package dev.tarn.targetnode.backend;

import java.util.Arrays;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How long a backend took for its latest answers, and which request has waited so long that a
 * second one may be quicker.
 */
final class AnswerTimes {
  /** How many answers are remembered. */
  private static final int KEPT = 512;

  /** The percentile is computed after so many answers, and again after as many. */
  private static final int COMPUTED_EVERY = 32;

  private static final int SLOW_PERCENT = 1;

  /** So many answers allow a second request. */
  private static final int ANSWERS_FOR_SECOND = 100;

  /** Second requests that were not needed are kept for later, up to so many. */
  private static final int SECOND_KEPT = 5;

  /** A backend that is quicker than this gains nothing. */
  private static final long WAIT_NANOS_MIN = 10_000_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final long[] nanos = new long[KEPT];
  private long answers;
  private int credit;
  private volatile long waitNanos = Long.MAX_VALUE;

  /** A request was answered after this time. */
  void answered(long tookNanos) {
    lock.lock();
    try {
      nanos[(int) (answers % KEPT)] = tookNanos;
      answers++;
      credit = Math.min(credit + 1, SECOND_KEPT * ANSWERS_FOR_SECOND);
      if (answers % COMPUTED_EVERY == 0) {
        waitNanos = Math.max(WAIT_NANOS_MIN, percentile());
      }
    } finally {
      lock.unlock();
    }
  }

  /** The time that {@value #SLOW_PERCENT} % of the answers exceeded. */
  private long percentile() {
    int count = (int) Math.min(answers, KEPT);
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return sorted[count - 1 - count * SLOW_PERCENT / 100];
  }

  /** After how many nanoseconds a second request may be sent; empty while too little is known. */
  OptionalLong waitNanos() {
    long wait = waitNanos;
    return wait == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(wait);
  }

  /**
   * Whether a second request may be sent now: at most one for {@value #ANSWERS_FOR_SECOND} answers.
   */
  boolean takesSecond() {
    lock.lock();
    try {
      boolean takes = credit >= ANSWERS_FOR_SECOND;
      credit -= takes ? ANSWERS_FOR_SECOND : 0;
      return takes;
    } finally {
      lock.unlock();
    }
  }
}
