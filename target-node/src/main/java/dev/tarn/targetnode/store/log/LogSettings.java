package dev.tarn.targetnode.store.log;

/**
 * The settings of the log.
 *
 * @param segmentBytesMax the size at which a new segment begins
 * @param batchBytesMax the greatest size of a record, and of one write
 * @param openSegmentsMax how many segments are kept open for reading
 */
public record LogSettings(long segmentBytesMax, int batchBytesMax, int openSegmentsMax) {
  /** The settings for a real disk. */
  public static final LogSettings DEFAULT = new LogSettings(256L << 20, 4 << 20, 256);

  private static final int SEGMENTS_OF_CACHE = 64;
  private static final long SEGMENT_BYTES_MIN = 16L << 20;

  public LogSettings {
    if (segmentBytesMax < 4096 || segmentBytesMax > 1L << 31) {
      throw new IllegalArgumentException(
          "segmentBytesMax is " + segmentBytesMax + ", must be 4 KiB to 2 GiB");
    }
    if (batchBytesMax < 4096 || batchBytesMax > 64 << 20) {
      throw new IllegalArgumentException(
          "batchBytesMax is " + batchBytesMax + ", must be 4 KiB to 64 MiB");
    }
    if (openSegmentsMax < 1) {
      throw new IllegalArgumentException("openSegmentsMax is " + openSegmentsMax);
    }
  }

  /**
   * These settings with segments that are small parts of a cache, because compaction frees whole
   * ones.
   *
   * @param cacheBytesMax what the cache may have
   */
  public LogSettings forCacheOf(long cacheBytesMax) {
    long part = Math.max(cacheBytesMax / SEGMENTS_OF_CACHE, SEGMENT_BYTES_MIN);
    return new LogSettings(Math.min(segmentBytesMax, part), batchBytesMax, openSegmentsMax);
  }
}
