package dev.tarn.sharder.pack;

import dev.tarn.sharder.plan.ShardPlan;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the plan into blocks that fit a buffer, in the plan's order. A block is made only when a
 * worker requests it: this keeps the number of open shards low.
 */
final class BlockQueue {
  /** Opens shards; may wait until the limit of open shards allows one more. */
  interface Opener {
    ShardAssembly open(int shard) throws IOException, InterruptedException;
  }

  private final Iterator<Integer> shards;
  private final int capacity;
  private final Opener opening;
  private int nextMember;
  private int blockNumber;
  private @Nullable ShardAssembly assembly;

  /**
   * @param shards the numbers, in the plan, of the shards to pack
   * @param capacity the maximum length of a block of several samples, in bytes
   */
  BlockQueue(List<Integer> shards, int capacity, Opener opening) {
    this.shards = shards.iterator();
    this.capacity = capacity;
    this.opening = opening;
  }

  /** Returns the next block; null if there are no more. */
  synchronized @Nullable SampleBlock next() throws IOException, InterruptedException {
    if (assembly == null && !shards.hasNext()) {
      return null;
    }
    ShardAssembly current = assembly == null ? opening.open(shards.next()) : assembly;
    assembly = current;
    ShardPlan plan = current.plan();
    int from = nextMember;
    int samples = 0;
    long length = 0;
    while (nextMember < plan.shard().members()) {
      long sample = plan.sampleLength(nextMember);
      if (samples > 0 && length + sample > capacity) {
        break;
      }
      length += sample;
      samples++;
      nextMember = plan.sampleEnd(nextMember);
    }
    boolean last = nextMember == plan.shard().members();
    SampleBlock block =
        new SampleBlock(current, blockNumber, from, nextMember, samples, length, last);
    blockNumber++;
    if (last) {
      assembly = null;
      nextMember = 0;
      blockNumber = 0;
    }
    return block;
  }
}
