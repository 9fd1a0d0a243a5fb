package dev.tarn.client.internal.prefetch;

import java.util.function.LongSupplier;

/**
 * The threads that fetch parts. Of files one begins, which keeps up with the page cache, where more
 * would only keep processors from the consumer; they are doubled where the consumer waits for a
 * noticeable part of its time.
 *
 * <p>For use under the prefetch's lock.
 */
final class Fetchers {
  /** What was waited is looked at after so many parts. */
  private static final int TAKES = 8;

  /** Waiting for less of the time than one in so many is not noticed. */
  private static final int NOTICED_PART = 128;

  private final EpochThreads threads;
  private final Runnable work;
  private final int countMax;
  private final LongSupplier clock;
  private int count;

  /** Since the last look: how many parts were taken, when it was, and what had been waited. */
  private int taken;

  private long since;
  private long waitedBefore;

  /**
   * @param clock of nanoseconds
   */
  Fetchers(EpochThreads threads, Runnable work, int countMax, LongSupplier clock) {
    this.threads = threads;
    this.work = work;
    this.countMax = countMax;
    this.clock = clock;
  }

  /** Starts as many as it takes at first. */
  void start(boolean areOfFiles) {
    startUpTo(areOfFiles ? 1 : countMax);
  }

  private void startUpTo(int wanted) {
    while (count < wanted) {
      threads.start("tarn-prefetch-" + count, work);
      count++;
    }
  }

  /** How many there are. */
  int count() {
    return count;
  }

  /**
   * Says that the consumer has taken a part. The epoch's first, which it always waits for, is where
   * the time begins.
   *
   * @param waitedNanos how long it has waited for parts so far
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
      // Where no more threads are to be had, those that there are go on.
    }
  }
}
