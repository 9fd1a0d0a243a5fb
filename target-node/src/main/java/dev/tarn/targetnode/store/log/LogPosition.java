package dev.tarn.targetnode.store.log;

/**
 * A position between two records.
 *
 * @param segment the segment's number
 * @param offset in the segment
 * @param sequence of the last record before it
 */
public record LogPosition(long segment, long offset, long sequence) {}
