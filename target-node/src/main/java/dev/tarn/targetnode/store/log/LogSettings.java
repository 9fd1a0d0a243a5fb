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
}
