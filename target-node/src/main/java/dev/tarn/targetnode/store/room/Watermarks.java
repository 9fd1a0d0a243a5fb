package dev.tarn.targetnode.store.room;

/**
 * How full a disk gets before cached data leaves, in shares of the disk without the reserve.
 *
 * @param high above it cached data begins to leave; 0 for the default, which keeps 5 % of the disk
 *     free, at most 1 GiB
 * @param low down to it cached data leaves; 0 for the same as {@code high}
 */
public record Watermarks(double high, double low) {
  private static final long FREE_BYTES_MAX = 1L << 30;
  private static final int FREE_PARTS = 20;

  /** The defaults. */
  public static final Watermarks DEFAULT = new Watermarks(0, 0);

  public Watermarks {
    if (!(high >= 0 && high < 1)) {
      throw new IllegalArgumentException(
          "high watermark is " + high + ", must be 0 for the default, or less than 1");
    }
    if (!(low >= 0 && low <= high)) {
      throw new IllegalArgumentException(
          "low watermark is " + low + ", must be at most the high one, which is " + high);
    }
  }

  /** The bytes that are kept free of a disk of this size. */
  long freeMin(long totalBytes) {
    return high == 0
        ? Math.min(totalBytes / FREE_PARTS, FREE_BYTES_MAX)
        : (long) (totalBytes * (1 - high));
  }

  /** The bytes that are free when eviction ends. */
  long freeAgain(long totalBytes) {
    return low == 0 ? freeMin(totalBytes) : (long) (totalBytes * (1 - low));
  }
}
