package dev.tarn.client;

import dev.tarn.client.ExtentReading.Placed;
import dev.tarn.shard.order.SeededOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The order of shards of which nothing is known before they are read: as they come, or shuffled in
 * blocks of as many bytes.
 */
final class StreamedGathering implements Gathering {
  private final SampleStream samples;
  private final SeededOrder order;
  private final long blockBytes;

  /** The first sample of the next block, read to find the end of the one before. */
  private @Nullable Placed following;

  /** How many samples are still to be delivered at most. */
  private long left;

  /**
   * @param blockBytes the length of the blocks to shuffle, 0 for none
   * @param limit how many samples to deliver at most
   */
  StreamedGathering(SampleStream samples, SeededOrder order, long blockBytes, OptionalLong limit) {
    this.left = limit.orElse(Long.MAX_VALUE);
    this.samples = samples;
    this.order = order;
    this.blockBytes = blockBytes;
  }

  @Override
  public void gather(Queue<Placed> ready) throws IOException {
    if (left == 0) {
      return;
    }
    Placed first = following != null ? following : samples.next();
    following = null;
    if (first == null) {
      return;
    }
    if (blockBytes == 0) {
      left--;
      ready.add(first);
      return;
    }
    long block = first.offset() / blockBytes;
    List<Placed> gathered = new ArrayList<>();
    Placed placed = first;
    while (placed != null && placed.offset() / blockBytes == block) {
      gathered.add(placed);
      placed = samples.next();
    }
    following = placed;
    int[] shuffled = order.block(gathered.size(), block);
    int count = (int) Math.min(left, shuffled.length);
    for (int i = 0; i < shuffled.length; i++) {
      Placed next = gathered.get(shuffled[i]);
      if (i < count) {
        ready.add(next);
      } else {
        next.release();
      }
    }
    left -= count;
    if (left == 0 && following != null) {
      following.release();
      following = null;
    }
  }
}
