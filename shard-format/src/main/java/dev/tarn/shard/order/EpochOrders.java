package dev.tarn.shard.order;

import dev.tarn.shard.order.MixedOrder.Cycles;
import java.util.Arrays;
import java.util.List;

/** Makes the orders that an epoch of a dataset may have. */
public final class EpochOrders {
  private EpochOrders() {}

  /**
   * The stored order.
   *
   * @param counts number of samples in each shard
   */
  public static EpochOrder stored(int[] counts) {
    return new SequentialOrder(inSequence(counts));
  }

  /** Shards in random order, the samples of each in stored order. */
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
   * @param readLength how many samples are read together; it does not influence the order
   */
  public static EpochOrder full(int[] counts, SeededOrder order, int readLength) {
    return new FullOrder(inSequence(counts), order, readLength);
  }

  /** Blocks drawn at random places, without end. */
  public static EpochOrder resampled(
      int[] counts, SeededOrder order, int blockLength, boolean isShuffled) {
    return new ResampledOrder(inSequence(counts), order, blockLength, isShuffled);
  }

  /**
   * An epoch of several datasets. Each dataset continues where the epoch before has ended.
   *
   * @param windowLength how many samples are read together
   * @param shuffles orders in which each dataset's samples are permuted within a window; if empty,
   *     they keep their order and the window does not influence it
   */
  public static EpochOrder mixed(
      MixSchedule schedule,
      List<Passes> datasets,
      long epoch,
      int windowLength,
      List<SeededOrder> shuffles) {
    return new MixedOrder(schedule, datasets, new Cycles(epoch, false), windowLength, shuffles);
  }

  /** As {@link #mixed}, but repeats the schedule without end, over endless datasets. */
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
