package dev.tarn.client.prefetch;

/**
 * The threads that fetch parts. Of files one begins, which keeps up with the page cache, where more
 * would only keep processors from the consumer; another comes where the consumer often waits.
 *
 * <p>For use under the prefetch's lock.
 */
final class Fetchers {
  private static final int WAITS_PER_FETCHER = 4;

  private final EpochThreads threads;
  private final Runnable work;
  private final int countMax;
  private int count;

  /** Since the last was started, or could have been. */
  private int taken;

  private int waitedFor;

  Fetchers(EpochThreads threads, Runnable work, int countMax) {
    this.threads = threads;
    this.work = work;
    this.countMax = countMax;
  }

  /** Starts as many as it takes at first. */
  void start(boolean areOfFiles) {
    int first = areOfFiles ? 1 : countMax;
    while (count < first) {
      startOne();
    }
  }

  private void startOne() {
    threads.start("tarn-prefetch-" + count, work);
    count++;
  }

  /**
   * Says that the consumer has a part, and whether it had to wait for it. Parts that are fetched at
   * the same time come together: where that takes too long, it waits for one of them.
   */
  void taken(boolean hasWaited) {
    taken++;
    waitedFor += hasWaited ? 1 : 0;
    if (taken == (long) WAITS_PER_FETCHER * count) {
      boolean isLate = waitedFor >= WAITS_PER_FETCHER;
      taken = 0;
      waitedFor = 0;
      if (isLate && count < countMax) {
        startAnother();
      }
    }
  }

  private void startAnother() {
    try {
      startOne();
    } catch (OutOfMemoryError e) {
      // Where no more threads are to be had, those that there are go on.
    }
  }
}
