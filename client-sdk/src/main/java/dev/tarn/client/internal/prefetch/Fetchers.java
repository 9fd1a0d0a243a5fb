package dev.tarn.client.internal.prefetch;

import java.util.function.LongSupplier;

/**
 * The threads that fetch parts. For local files one thread starts, which keeps up with the page
 * cache and leaves the processors to the consumer. The number doubles while the consumer waits for
 * a noticeable part of its time.
 *
 * <p>For use under the prefetch's lock.
 */
final class Fetchers {
  /** The waiting time is checked after so many parts. */
  private static final int TAKES = 8;

  /** A wait of less than one in so many parts of the time is ignored. */
  private static final int NOTICED_PART = 128;

  private final EpochThreads threads;
  private final Runnable work;
  private final int countMax;
  private final LongSupplier clock;
  private int count;

  /** Since the last check: the number of parts taken, its time, and the waiting time before it. */
  private int taken;

  private long since;
  private long waitedBefore;

  /**
   * Makes the threads' control.
   *
   * @param clock in nanoseconds
   */
  Fetchers(EpochThreads threads, Runnable work, int countMax, LongSupplier clock) {
    this.threads = threads;
    this.work = work;
    this.countMax = countMax;
    this.clock = clock;
  }

  /** Starts the first threads. */
  void start(boolean areOfFiles) {
    startUpTo(areOfFiles ? 1 : countMax);
  }

  private void startUpTo(int wanted) {
    while (count < wanted) {
      threads.start("tarn-prefetch-" + count, work);
      count++;
    }
  }

  /** The number of threads. */
  int count() {
    return count;
  }

  /**
   * Records that the consumer has taken a part. The measured time begins with the epoch's first
   * part, for which the consumer always waits.
   *
   * @param waitedNanos how long the consumer has waited for parts so far
   */
  void taken(long waitedNanos) {
    if (count == countMax) {
      return;
    }
    long now = clock.getAsLong();
    if (taken == TAKES && isNoticed(waitedNanos - waitedBefore, now - since)) {
      startMore();
    }
    if (taken % TAKES == 0) {
      taken = 0;
      since = now;
      waitedBefore = waitedNanos;
    }
    taken++;
  }

  private static boolean isNoticed(long waitedNanos, long elapsedNanos) {
    return waitedNanos * NOTICED_PART > elapsedNanos;
  }

  private void startMore() {
    try {
      startUpTo(Math.min(countMax, 2 * count));
    } catch (OutOfMemoryError e) {
      // If the system has no more threads, the existing ones continue.
    }
  }
}
