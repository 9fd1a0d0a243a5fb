package dev.tarn.client.prefetch;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.shards.ShardSource;
import java.util.OptionalLong;

/**
 * Samples of a shard that are fetched together: all of them, or some that its index tells apart.
 *
 * @param shard the shard
 * @param isWhole whether it is the whole shard, whose samples need not be known
 * @param from the number of the first sample in the shard; 0 if it is whole
 * @param to behind the last; 0 if it is whole
 */
public record Extent(ShardSource shard, boolean isWhole, int from, int to) {
  /** Checks the bounds. */
  public Extent {
    requireNonNull(shard, "shard is null");
    if (isWhole ? from != 0 || to != 0 : from < 0 || from >= to) {
      throw new IllegalArgumentException("samples " + from + " to " + to + " of " + shard.url());
    }
  }

  /** All of a shard. */
  public static Extent whole(ShardSource shard) {
    return new Extent(shard, true, 0, 0);
  }

  /** How many samples it has, if that is known. */
  public OptionalLong samples() {
    return isWhole ? shard.samples() : OptionalLong.of(to - from);
  }

  /** Some of a shard's samples. */
  public static Extent part(ShardSource shard, int from, int to) {
    return new Extent(shard, false, from, to);
  }
}
