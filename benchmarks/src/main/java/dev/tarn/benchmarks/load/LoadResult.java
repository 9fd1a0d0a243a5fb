package dev.tarn.benchmarks.load;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * The result of a load.
 *
 * @param operations how many requests had the expected answer
 * @param bytes the bytes of all bodies, in both directions
 */
public record LoadResult(
    long operations, long bytes, long errors, Optional<String> firstError, long elapsedNanos) {
  public LoadResult {
    requireNonNull(firstError, "firstError is null");
  }
}
