package dev.tarn.client.prefetch;

/**
 * What is read though nobody asked for it, since it lies between bytes that are wanted and costs
 * less than another request: small gaps, until they are a bound together. For use by many threads.
 */
final class Gaps {
  private static final long GAP_BYTES_MAX = 4096;

  private long left;

  /**
   * @param bytesMax bound of all gaps together
   */
  Gaps(long bytesMax) {
    this.left = bytesMax;
  }

  /** Whether a gap is read. */
  synchronized boolean isRead(long length) {
    boolean isRead = length <= GAP_BYTES_MAX && length <= left;
    if (isRead) {
      left -= length;
    }
    return isRead;
  }
}
