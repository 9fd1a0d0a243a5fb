package dev.tarn.client.internal.prefetch;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.internal.shards.ShardSource;
import dev.tarn.shard.order.SampleRun;
import java.util.List;
import java.util.OptionalLong;

/**
 * Samples of a shard that are fetched together: all, or some that its index locates.
 *
 * @param shard of the samples
 * @param isWhole whether it is the whole shard, whose samples need not be known
 * @param runs of samples, in the order of the shard; empty for a whole shard
 */
public record Extent(ShardSource shard, boolean isWhole, List<SampleRun> runs) {
  /** Checks the order. */
  public Extent {
    requireNonNull(shard, "shard is null");
    runs = List.copyOf(runs);
    if (isWhole != runs.isEmpty()) {
      throw new IllegalArgumentException(runs.size() + " runs of " + shard.url());
    }
    for (int i = 1; i < runs.size(); i++) {
      if (runs.get(i).from() < runs.get(i - 1).to()) {
        throw new IllegalArgumentException("runs out of order: " + runs);
      }
    }
  }

  /** A whole shard. */
  public static Extent whole(ShardSource shard) {
    return new Extent(shard, true, List.of());
  }

  /** Some of a shard's samples. */
  public static Extent part(ShardSource shard, List<SampleRun> runs) {
    return new Extent(shard, false, runs);
  }

  /** The number of samples, if known. */
  public OptionalLong samples() {
    return isWhole
        ? shard.samples()
        : OptionalLong.of(runs.stream().mapToLong(SampleRun::length).sum());
  }
}
