package dev.tarn.benchmarks.load;

/**
 * The result of a load without failures.
 *
 * @param operations the number of answers
 * @param bytes the bytes that were sent and received
 */
public record LoadResult(long operations, long bytes, long elapsedNanos) {}
