package dev.tarn.targetnode.store;

import static java.util.Objects.requireNonNull;

import dev.tarn.targetnode.store.log.LogSettings;
import dev.tarn.transport.body.DirectBuffers;

/**
 * The settings of the store of one disk.
 *
 * @param log the settings of the log
 * @param inlineBytesMax the size up to which an object's bytes go into the log
 * @param indexCacheBytes memory for parts of the index that were read
 * @param openExtentsMax how many extents, and how many units, are kept open for reading
 * @param pendingCommitsMax how many commits may wait; more fail as overloaded
 * @param checkpointRecords the number of records after which the index is made durable, which keeps
 *     replay short
 * @param reserveBytes free space that bodies and copies must leave: for deletes, for compaction,
 *     and for an index that ran out of space, which needs most of it to resume
 * @param deadRatioMax the share of the log that may be dead before compaction begins
 * @param ioErrorsMax how many input/output errors within ten minutes take the disk out of service
 * @param uploadAgeMsMax the age after which an open upload is aborted
 * @param cache the settings of the cache
 */
public record StoreSettings(
    LogSettings log,
    int inlineBytesMax,
    long indexCacheBytes,
    int openExtentsMax,
    int pendingCommitsMax,
    int checkpointRecords,
    long reserveBytes,
    double deadRatioMax,
    int ioErrorsMax,
    long uploadAgeMsMax,
    CacheSettings cache) {
  /** The settings for a real disk. */
  public static final StoreSettings DEFAULT =
      new StoreSettings(
          LogSettings.DEFAULT,
          256 << 10,
          256L << 20,
          1024,
          16_384,
          50_000,
          128L << 20,
          0.15,
          3,
          7L * 24 * 3600 * 1000,
          CacheSettings.DEFAULT);

  public StoreSettings {
    requireNonNull(log, "log is null");
    requireNonNull(cache, "cache is null");
    int inlineBound = Math.min(log.batchBytesMax() / 2, DirectBuffers.BYTES_MAX);
    if (inlineBytesMax < 0 || inlineBytesMax > inlineBound) {
      throw new IllegalArgumentException(
          "inlineBytesMax is "
              + inlineBytesMax
              + ", must be 0 to half of batchBytesMax, and at most what a buffer holds: "
              + inlineBound);
    }
    requirePositive("indexCacheBytes", indexCacheBytes);
    requirePositive("openExtentsMax", openExtentsMax);
    requirePositive("pendingCommitsMax", pendingCommitsMax);
    requirePositive("checkpointRecords", checkpointRecords);
    requirePositive("ioErrorsMax", ioErrorsMax);
    requirePositive("uploadAgeMsMax", uploadAgeMsMax);
    if (reserveBytes < 0) {
      throw new IllegalArgumentException("reserveBytes is " + reserveBytes);
    }
    if (!(deadRatioMax > 0 && deadRatioMax < 1)) {
      throw new IllegalArgumentException(
          "deadRatioMax is " + deadRatioMax + ", must be between 0 and 1");
    }
  }

  private static void requirePositive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " is " + value + ", must be positive");
    }
  }
}
