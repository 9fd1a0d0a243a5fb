package dev.tarn.gateway.profile;

/** The bins of the histograms. Each bound is the greatest value of its bin. */
public final class Bins {
  /** Bins of times, two to an octave: from 64 us to more than 60 s. */
  static final int TIMES = 41;

  /** Bins of sizes, one to an octave: 0, 1, 2 to 3, 4 to 7 bytes and so on, to more than 4 GiB. */
  static final int SIZES = 34;

  private static final long TIME_FIRST_NANOS = 64_000;

  private Bins() {}

  /** The bin of a time. */
  static int ofTime(long nanos) {
    long scaled = nanos / TIME_FIRST_NANOS;
    if (scaled == 0) {
      return 0;
    }
    int octave = 63 - Long.numberOfLeadingZeros(scaled);
    // The second half of an octave begins at its geometric mean: times 1.414.
    int half =
        nanos - (TIME_FIRST_NANOS << octave) >= (TIME_FIRST_NANOS << octave) * 53 / 128 ? 1 : 0;
    return Math.min(TIMES - 1, 1 + 2 * octave + half);
  }

  /** The upper bound of a bin of times, in milliseconds; the last bin has none. */
  public static double timeBoundMs(int bin) {
    return TIME_FIRST_NANOS / 1e6 * Math.pow(2, bin / 2.0);
  }

  /** The bin of a size. */
  static int ofSize(long bytes) {
    return Math.min(SIZES - 1, 64 - Long.numberOfLeadingZeros(bytes));
  }

  /** The upper bound of a bin of sizes, in bytes; the last bin has none. */
  public static long sizeBound(int bin) {
    return (1L << bin) - 1;
  }
}
