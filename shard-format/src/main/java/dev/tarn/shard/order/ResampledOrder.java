package dev.tarn.shard.order;

import java.util.ArrayList;
import java.util.List;

/**
 * Blocks drawn at random places of the dataset, without end. Each block begins at a random sample,
 * so that every sample is equally likely.
 */
final class ResampledOrder implements EpochOrder {
  private final ShardSequence samples;
  private final SeededOrder order;
  private final int blockLength;
  private final boolean isShuffled;

  /**
   * Makes the order.
   *
   * @param blockLength how many samples are drawn together, at most as many as there are
   * @param isShuffled whether the samples of a block come in random order
   */
  ResampledOrder(ShardSequence samples, SeededOrder order, int blockLength, boolean isShuffled) {
    this.samples = samples;
    this.order = order;
    this.blockLength = (int) Math.min(blockLength, samples.length());
    this.isShuffled = isShuffled;
  }

  @Override
  public long length() {
    return Long.MAX_VALUE;
  }

  @Override
  public int readTogether() {
    return isShuffled ? blockLength : 1;
  }

  @Override
  public Block block(long position) {
    long number = position / blockLength;
    long first = order.draw(number, samples.length());
    long end = Math.min(samples.length(), first + blockLength);
    List<SampleRun> runs = new ArrayList<>(samples.runs(first, end));
    runs.addAll(samples.runs(0, blockLength - (end - first)));
    long start = number * blockLength;
    return isShuffled
        ? Block.shuffled(start, runs, order.block(blockLength, number))
        : Block.ordered(start, runs);
  }
}
