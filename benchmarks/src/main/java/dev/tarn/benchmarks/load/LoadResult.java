package dev.tarn.benchmarks.load;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * What a load came to.
 *
 * @param operations answered as expected
 * @param bytes of bodies, both directions
 */
public record LoadResult(
    long operations, long bytes, long errors, Optional<String> firstError, long elapsedNanos) {
  public LoadResult {
    requireNonNull(firstError, "firstError is null");
  }
}
