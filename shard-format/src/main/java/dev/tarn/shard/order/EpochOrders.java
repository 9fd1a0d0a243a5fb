package dev.tarn.shard.order;

import dev.tarn.shard.order.MixedOrder.Cycles;
import java.util.Arrays;
import java.util.List;

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

  /**
   * Any sample at any position.
   *
   * @param readLength how many are read together; it has no part in the order
   */
  public static EpochOrder full(int[] counts, SeededOrder order, int readLength) {
    return new FullOrder(inSequence(counts), order, readLength);
  }

  /** Blocks drawn from anywhere, again and again; the order has no end. */
  public static EpochOrder resampled(
      int[] counts, SeededOrder order, int blockLength, boolean isShuffled) {
    return new ResampledOrder(inSequence(counts), order, blockLength, isShuffled);
  }

  /**
   * An epoch of several datasets, in which each goes on where the epoch before has left it.
   *
   * @param windowLength how many samples are read together
   * @param shuffles the orders in which each dataset's samples change places within a window; none
   *     if they keep them, and then the window has no part in the order
   */
  public static EpochOrder mixed(
      MixSchedule schedule,
      List<Passes> datasets,
      long epoch,
      int windowLength,
      List<SeededOrder> shuffles) {
    return new MixedOrder(schedule, datasets, new Cycles(epoch, false), windowLength, shuffles);
  }

  /** As {@link #mixed}, with the schedule again and again, over datasets that have no end. */
  public static EpochOrder mixedWithoutEnd(
      MixSchedule schedule, List<Passes> datasets, int windowLength, List<SeededOrder> shuffles) {
    return new MixedOrder(schedule, datasets, new Cycles(0, true), windowLength, shuffles);
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
