package dev.tarn.client.internal.prefetch;

import dev.tarn.client.internal.prefetch.FetchOptions.GapLimits;

/**
 * What is read though nobody asked for it, since it lies between bytes that are wanted and takes
 * less time than another request: gaps, until they are a bound together. For use by many threads.
 */
final class Gaps {
  private final long bytesMax;
  private long left;

  Gaps(GapLimits limits) {
    this.bytesMax = limits.bytesMax();
    this.left = limits.totalBytesMax();
  }

  /** Whether a gap is read. */
  synchronized boolean isRead(long length) {
    boolean isRead = length <= bytesMax && length <= left;
    if (isRead) {
      left -= length;
    }
    return isRead;
  }
}
