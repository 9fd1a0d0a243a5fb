package dev.tarn.client.internal.prefetch;

/**
 * How extents are fetched.
 *
 * @param usesIndexes whether the indexes that there are are needed of whole shards, too
 * @param tolerates whether what follows an extent that cannot be fetched is fetched
 * @param gaps which bytes are read only because they lie between others
 * @param areOfFiles whether all are of files of this machine
 */
public record FetchOptions(
    boolean usesIndexes, boolean tolerates, boolean areOfFiles, GapLimits gaps) {
  /**
   * Bounds of gaps.
   *
   * @param bytesMax of one
   * @param totalBytesMax of all together
   */
  public record GapLimits(long bytesMax, long totalBytesMax) {
    /** None is read. */
    public static final GapLimits NONE = new GapLimits(0, 0);
  }
}
