package dev.tarn.client.prefetch;

/**
 * What a consumer must have before it gets its first sample. What lies behind it waits until it has
 * come: fetched beside it, it would take its share of the network and of the processors.
 *
 * <p>For use under the prefetch's lock.
 */
final class HeadStart {
  private final long bytes;
  private long claimed;
  private int underWay;
  private boolean isOver;

  /**
   * @param bytes about as many as the first sample needs
   */
  HeadStart(long bytes) {
    this.bytes = bytes;
  }

  /** Whether another part may be claimed now. */
  boolean admits() {
    return isOver || claimed < bytes;
  }

  /** Whether all of it has come. */
  boolean isOver() {
    return isOver;
  }

  /** Counts a part that somebody is about to fetch. */
  void begin(int length) {
    claimed += length;
    underWay++;
  }

  /**
   * Says that a part has come.
   *
   * @return whether it was the last of it
   */
  boolean end() {
    underWay--;
    boolean isLast = !isOver && underWay == 0 && claimed >= bytes;
    isOver |= isLast;
    return isLast;
  }

  /** Says that some of it will not come, or is not wanted any more: nothing waits for the rest. */
  void giveUp() {
    isOver = true;
  }
}
