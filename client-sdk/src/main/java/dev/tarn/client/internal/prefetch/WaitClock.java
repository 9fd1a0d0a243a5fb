package dev.tarn.client.internal.prefetch;

/** How long one thread has waited, the current wait included. Any thread may read it. */
final class WaitClock {
  private volatile Waits waits = new Waits(0, 0, false);

  /**
   * A state of the clock.
   *
   * @param nanos of the waits that have ended
   * @param since begin of the current wait
   */
  private record Waits(long nanos, long since, boolean isUnderWay) {
    private long nanosAt(long now) {
      return isUnderWay ? nanos + (now - since) : nanos;
    }
  }

  /** A wait begins. */
  void begin() {
    waits = new Waits(waits.nanos(), System.nanoTime(), true);
  }

  /** The wait ends. */
  void end() {
    waits = new Waits(nanos(), 0, false);
  }

  /** Nanoseconds waited until now. */
  long nanos() {
    return waits.nanosAt(System.nanoTime());
  }
}
