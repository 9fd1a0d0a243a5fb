package dev.tarn.client.internal.prefetch;

import dev.tarn.client.internal.prefetch.FetchOptions.GapLimits;

/**
 * Decides which gaps between wanted bytes are fetched because they take less time than another
 * request, up to a total. Safe for several threads.
 */
final class Gaps {
  private final long bytesMax;
  private long left;

  Gaps(GapLimits limits) {
    this.bytesMax = limits.bytesMax();
    this.left = limits.totalBytesMax();
  }

  /** Whether to fetch a gap. */
  synchronized boolean isRead(long length) {
    boolean isRead = length <= bytesMax && length <= left;
    if (isRead) {
      left -= length;
    }
    return isRead;
  }
}
