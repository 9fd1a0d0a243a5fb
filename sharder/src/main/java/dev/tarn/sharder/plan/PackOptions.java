package dev.tarn.sharder.plan;

import static java.util.Objects.requireNonNull;

import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a dataset is packed with: together with the samples, all that its bytes depend on.
 *
 * @param pattern the shards' names, with one {@code %d} or {@code %0Nd} for the shard's number
 * @param maximumCount of samples in a shard, if bounded
 * @param maximumSize of a shard in uncompressed tar bytes
 * @param seed of the global shuffle, if there was one
 * @param dots what was done about keys with dots, see {@code --dots}
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

  /** As the manifest has them. */
  public SortedMap<String, String> texts() {
    SortedMap<String, String> texts = new TreeMap<>();
    texts.put("pattern", pattern);
    maximumCount.ifPresent(count -> texts.put("max_count", Long.toString(count)));
    texts.put("max_size", Long.toString(maximumSize));
    seed.ifPresent(number -> texts.put("seed", Long.toString(number)));
    texts.put("dots", dots);
    texts.put("time", Long.toString(time));
    return texts;
  }
}
