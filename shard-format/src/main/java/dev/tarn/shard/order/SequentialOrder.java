package dev.tarn.shard.order;

import java.util.List;

/** Shards in sequence, each in stored order. */
final class SequentialOrder implements EpochOrder {
  private final ShardSequence samples;

  SequentialOrder(ShardSequence samples) {
    this.samples = samples;
  }

  @Override
  public long length() {
    return samples.length();
  }

  @Override
  public int readTogether() {
    return 1;
  }

  @Override
  public Block block(long position) {
    long start = samples.shardStart(position);
    return Block.ordered(start, List.of(samples.rest(start)));
  }
}
