package dev.tarn.benchmarks.load;

/**
 * The result of a load without failures.
 *
 * @param operations the number of answers
 */
public record LoadResult(long operations, long elapsedNanos) {}
