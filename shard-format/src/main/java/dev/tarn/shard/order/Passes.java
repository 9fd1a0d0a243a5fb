package dev.tarn.shard.order;

import dev.tarn.shard.LruMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * The samples of one dataset of a mix, pass after pass without end. Each pass has its own order.
 * Thread-safe.
 */
public final class Passes {
  /**
   * A window of a mix usually lies in two passes. Evicted orders are computed again when needed.
   */
  private static final int ORDERS_KEPT_MAX = 4;

  private final int shardsBefore;
  private final long length;
  private final LongFunction<EpochOrder> orders;
  private final Map<Long, EpochOrder> kept = new LruMap<>(ORDERS_KEPT_MAX);

  /**
   * Makes the passes.
   *
   * @param shardsBefore number of shards in the datasets before this one
   * @param length number of samples in a pass
   * @param orders gives the order of a pass, by its number
   */
  public Passes(int shardsBefore, long length, LongFunction<EpochOrder> orders) {
    if (length < 1) {
      throw new IllegalArgumentException("a pass of " + length + " samples");
    }
    this.shardsBefore = shardsBefore;
    this.length = length;
    this.orders = orders;
  }

  /** The items between two numbers, counted over all passes from 0, as consecutive blocks. */
  List<Block> items(long from, long to) {
    List<Block> parts = new ArrayList<>();
    for (long item = from; item < to; ) {
      long place = Math.floorMod(item, length);
      Block block = order(Math.floorDiv(item, length)).block(place);
      Block part = block.within(place, Math.min(block.end(), place + (to - item)));
      parts.add(part.behindShards(shardsBefore));
      item += part.length();
    }
    return parts;
  }

  /** Whether samples that are read together are spread over the dataset's shards. */
  boolean isScattered() {
    return order(0).isScattered();
  }

  private EpochOrder order(long pass) {
    synchronized (kept) {
      return kept.computeIfAbsent(pass, orders::apply);
    }
  }
}
