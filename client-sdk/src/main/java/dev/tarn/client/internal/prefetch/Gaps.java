package dev.tarn.client.internal.prefetch;

/**
 * Decides which gaps between wanted bytes are fetched because they take less time than another
 * request, up to a total. Safe for several threads.
 */
public final class Gaps {
  private final long bytesMax;
  private long totalBytesLeft;

  /**
   * Sets the bounds.
   *
   * @param bytesMax of one gap; 0 if no gap is fetched
   * @param totalBytesMax of all gaps together
   */
  public Gaps(long bytesMax, long totalBytesMax) {
    this.bytesMax = bytesMax;
    this.totalBytesLeft = totalBytesMax;
  }

  /** Whether to fetch a gap. */
  synchronized boolean isRead(long length) {
    boolean isRead = length <= bytesMax && length <= totalBytesLeft;
    if (isRead) {
      totalBytesLeft -= length;
    }
    return isRead;
  }
}
