package dev.tarn.client.internal.read;

import dev.tarn.shard.order.SeededOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of an epoch whose samples have no numbers, since the shards have no indexes: single
 * samples as they are read, or shuffled blocks of a length in bytes.
 */
public final class StreamedBlocks implements SampleBlocks {
  private final Source samples;
  private final SeededOrder order;
  private final long blockBytes;

  /** The first sample of the next block, read to find the end of the block before it. */
  private @Nullable ReadSample following;

  /** How many samples may still be delivered. */
  private long remaining;

  /**
   * Makes the blocks.
   *
   * @param blockBytes length of a block to shuffle; 0 for none
   * @param limit how many samples are delivered at most
   */
  public StreamedBlocks(Source samples, SeededOrder order, long blockBytes, OptionalLong limit) {
    this.samples = samples;
    this.order = order;
    this.blockBytes = blockBytes;
    this.remaining = limit.orElse(Long.MAX_VALUE);
  }

  @Override
  public void readNext(Queue<ReadSample> ready) throws IOException {
    if (remaining == 0) {
      return;
    }
    ReadSample first = following != null ? following : samples.next();
    following = null;
    if (first == null) {
      return;
    }
    if (blockBytes == 0) {
      remaining--;
      ready.add(first);
      return;
    }
    long block = first.placement() / blockBytes;
    List<ReadSample> read = new ArrayList<>();
    ReadSample sample = first;
    while (sample != null && sample.placement() / blockBytes == block) {
      read.add(sample);
      sample = samples.next();
    }
    following = sample;
    int[] shuffled = order.block(read.size(), block);
    int count = (int) Math.min(remaining, shuffled.length);
    for (int i = 0; i < shuffled.length; i++) {
      ReadSample next = read.get(shuffled[i]);
      if (i < count) {
        ready.add(next);
      } else {
        next.release();
      }
    }
    remaining -= count;
    if (remaining == 0 && following != null) {
      following.release();
      following = null;
    }
  }
}
