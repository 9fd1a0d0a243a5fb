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
    long totalBytes) {}
