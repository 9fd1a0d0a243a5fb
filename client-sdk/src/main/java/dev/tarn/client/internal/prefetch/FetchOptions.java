package dev.tarn.client.internal.prefetch;

/**
 * How extents are fetched.
 *
 * @param usesIndexes whether existing indexes of whole shards are needed too
 * @param tolerates whether fetching continues after an extent that cannot be fetched
 * @param areOfFiles whether all shards are local files
 * @param gaps bounds of gaps that are fetched because they lie between wanted bytes
 */
public record FetchOptions(
    boolean usesIndexes, boolean tolerates, boolean areOfFiles, GapLimits gaps) {
  /**
   * Bounds of gaps, in bytes.
   *
   * @param bytesMax of one gap
   * @param totalBytesMax of all gaps together
   */
  public record GapLimits(long bytesMax, long totalBytesMax) {
    /** No gap is fetched. */
    public static final GapLimits NONE = new GapLimits(0, 0);
  }
}
