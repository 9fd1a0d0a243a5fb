package dev.tarn.shard.manifest;

import static java.util.Objects.requireNonNull;

import java.util.OptionalLong;

/**
 * What a dataset was packed with: together with the samples, all that its bytes depend on.
 *
 * @param pattern the shards' names, with one {@code %d} or {@code %0Nd} for the shard's number
 * @param maximumCount of samples in a shard, if bounded
 * @param maximumSize of a shard in uncompressed tar bytes
 * @param seed of the global shuffle, if there was one
 * @param dots what was done about keys with dots, see the sharder's {@code --dots}
 * @param time of every member, in seconds since 1970
 */
public record PackOptions(
    String pattern,
    OptionalLong maximumCount,
    long maximumSize,
    OptionalLong seed,
    String dots,
    long time) {
  public PackOptions {
    requireNonNull(pattern, "pattern is null");
    requireNonNull(maximumCount, "maximumCount is null");
    requireNonNull(seed, "seed is null");
    requireNonNull(dots, "dots is null");
    if (maximumSize <= 0 || maximumCount.orElse(1) <= 0) {
      throw new IllegalArgumentException("a shard's bounds are positive");
    }
  }
}
