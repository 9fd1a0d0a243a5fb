package dev.tarn.targetnode.store;

/**
 * What a store holds and has done.
 *
 * @param segments the number of segments of the log
 * @param logBytes the size of all segments
 * @param liveLogBytes the size of the records that are still valid
 * @param indexEntries the approximate number of entries
 * @param commits records written since the start
 * @param commitBatches batches written since the start
 * @param ioErrors input/output errors since the start
 * @param freeBytes the free space that data may take: without the reserve
 * @param totalBytes the size of the disk
 * @param cached what the cache holds and has done
 */
public record StoreFigures(
    int segments,
    long logBytes,
    long liveLogBytes,
    long indexEntries,
    long commits,
    long commitBatches,
    int ioErrors,
    long freeBytes,
    long totalBytes,
    Cached cached) {
  /**
   * The units of cached objects.
   *
   * @param units how many are on the disk
   * @param bytes of these units
   * @param promisedBytes that writes under way may still take
   * @param leavingBytes of removed units that readers still use
   * @param evictedForRoomBytes removed for primary bytes, or to keep room for them
   * @param evictedForBetterBytes removed for other cached bytes of a greater value
   * @param refused how many units were not kept, since nothing on the disk had less value
   * @param wantedAgain how often a unit that had been removed was read
   */
  public record Cached(
      long units,
      long bytes,
      long promisedBytes,
      long leavingBytes,
      long evictedForRoomBytes,
      long evictedForBetterBytes,
      long refused,
      long wantedAgain) {}
}
