package dev.tarn.client.internal.read;

import dev.tarn.shard.order.Block;
import java.io.EOFException;
import java.io.IOException;
import java.util.Iterator;
import java.util.Queue;

/** The blocks of an epoch whose samples have numbers. */
public final class OrderedBlocks implements SampleBlocks {
  private final Source samples;
  private final Iterator<Block> blocks;

  /** How many samples of a block that is not shuffled remain. */
  private int remaining;

  /**
   * Makes the blocks.
   *
   * @param samples of the blocks' runs
   */
  public OrderedBlocks(Source samples, Iterator<Block> blocks) {
    this.samples = samples;
    this.blocks = blocks;
  }

  @Override
  public void readNext(Queue<ReadSample> ready) throws IOException {
    if (remaining == 0) {
      if (!blocks.hasNext()) {
        return;
      }
      Block block = blocks.next();
      if (!block.isOrdered()) {
        shuffle(block, ready);
        return;
      }
      remaining = block.length();
    }
    remaining--;
    ready.add(read());
  }

  private void shuffle(Block block, Queue<ReadSample> ready) throws IOException {
    ReadSample[] read = new ReadSample[block.length()];
    for (int i = 0; i < read.length; i++) {
      read[i] = read();
    }
    for (int place = 0; place < read.length; place++) {
      ready.add(read[block.sample(place)]);
    }
  }

  private ReadSample read() throws IOException {
    ReadSample sample = samples.next();
    if (sample == null) {
      throw new EOFException("the shards have fewer samples than the manifest says");
    }
    return sample;
  }
}
