package dev.tarn.client.order;

import java.util.Arrays;

/** The orders that an epoch of a dataset may have. */
public final class EpochOrders {
  private EpochOrders() {}

  /**
   * As it is stored.
   *
   * @param counts how many samples each shard has
   */
  public static EpochOrder stored(int[] counts) {
    return new SequentialOrder(inSequence(counts));
  }

  /** Shards in random order, the samples of each as they are stored. */
  public static EpochOrder shards(int[] counts, SeededOrder order) {
    return new SequentialOrder(shuffled(counts, order));
  }

  /** Shards in random order, cut into blocks that are shuffled. */
  public static EpochOrder blocks(int[] counts, SeededOrder order, int blockLength) {
    return new BlockedOrder(shuffled(counts, order), order, blockLength);
  }

  /** Any sample at any position. */
  public static EpochOrder full(int[] counts, SeededOrder order) {
    return new FullOrder(inSequence(counts), order);
  }

  /** Blocks drawn from anywhere, again and again; the order has no end. */
  public static EpochOrder resampled(
      int[] counts, SeededOrder order, int blockLength, boolean isShuffled) {
    return new ResampledOrder(inSequence(counts), order, blockLength, isShuffled);
  }

  private static ShardSequence inSequence(int[] counts) {
    int[] shards = new int[counts.length];
    Arrays.setAll(shards, i -> i);
    return new ShardSequence(shards, counts);
  }

  private static ShardSequence shuffled(int[] counts, SeededOrder order) {
    return new ShardSequence(order.shards(counts.length), counts);
  }
}
