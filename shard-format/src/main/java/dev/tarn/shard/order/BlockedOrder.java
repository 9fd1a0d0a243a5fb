package dev.tarn.shard.order;

/** Shards in sequence, cut into blocks of equal numbers of samples; each block is shuffled. */
final class BlockedOrder implements EpochOrder {
  private final ShardSequence samples;
  private final SeededOrder order;
  private final int blockLength;

  /**
   * Makes the order.
   *
   * @param blockLength number of samples in a block; the last block may have fewer
   */
  BlockedOrder(ShardSequence samples, SeededOrder order, int blockLength) {
    this.samples = samples;
    this.order = order;
    this.blockLength = blockLength;
  }

  @Override
  public long length() {
    return samples.length();
  }

  @Override
  public int readTogether() {
    return blockLength;
  }

  @Override
  public Block block(long position) {
    long number = position / blockLength;
    long start = number * blockLength;
    long end = Math.min(length(), start + blockLength);
    return Block.shuffled(
        start, samples.runs(start, end), order.block((int) (end - start), number));
  }
}
