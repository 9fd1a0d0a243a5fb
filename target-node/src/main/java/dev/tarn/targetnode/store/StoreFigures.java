package dev.tarn.targetnode.store;

/**
 * What a store holds and has done.
 *
 * @param segments of the log
 * @param logBytes of all segments
 * @param liveLogBytes those of records still valid
 * @param indexEntries about how many
 * @param commits records written since the start
 * @param commitBatches writes that carried them
 * @param ioErrors since the start
 * @param usableBytes that can still be written
 * @param totalBytes of the disk
 */
public record StoreFigures(
    int segments,
    long logBytes,
    long liveLogBytes,
    long indexEntries,
    long commits,
    long commitBatches,
    int ioErrors,
    long usableBytes,
    long totalBytes) {}
