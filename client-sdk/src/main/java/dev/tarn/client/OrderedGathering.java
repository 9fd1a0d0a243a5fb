package dev.tarn.client;

import dev.tarn.client.ExtentReading.Placed;
import dev.tarn.shard.order.Block;
import java.io.EOFException;
import java.io.IOException;
import java.util.Iterator;
import java.util.Queue;

/** The order of samples whose numbers are known: block after block. */
final class OrderedGathering implements Gathering {
  private final SampleStream samples;
  private final Iterator<Block> blocks;

  /** How many samples of an ordered block are still to come. */
  private int left;

  /**
   * @param samples those of the blocks' runs
   */
  OrderedGathering(SampleStream samples, Iterator<Block> blocks) {
    this.samples = samples;
    this.blocks = blocks;
  }

  @Override
  public void gather(Queue<Placed> ready) throws IOException {
    if (left == 0) {
      if (!blocks.hasNext()) {
        return;
      }
      Block block = blocks.next();
      if (!block.isOrdered()) {
        shuffle(block, ready);
        return;
      }
      left = block.length();
    }
    left--;
    ready.add(read());
  }

  private void shuffle(Block block, Queue<Placed> ready) throws IOException {
    Placed[] read = new Placed[block.length()];
    for (int i = 0; i < read.length; i++) {
      read[i] = read();
    }
    for (int place = 0; place < read.length; place++) {
      ready.add(read[block.sample(place)]);
    }
  }

  private Placed read() throws IOException {
    Placed placed = samples.next();
    if (placed == null) {
      throw new EOFException("the shards have fewer samples than the manifest says");
    }
    return placed;
  }
}
