package dev.tarn.client;

import dev.tarn.shard.order.Block;
import dev.tarn.shard.order.EpochOrder;
import dev.tarn.shard.order.Positions;
import dev.tarn.shard.order.Positions.Stretch;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;

/** The blocks that hold some positions of an epoch, each cut to those of them that it has. */
final class EpochBlocks implements Iterator<Block> {
  private final EpochOrder order;
  private final Queue<Stretch> stretches = new ArrayDeque<>();
  private long next;

  /**
   * @param parts the positions, part after part
   */
  EpochBlocks(EpochOrder order, List<Positions> parts) {
    this.order = order;
    parts.forEach(part -> stretches.addAll(part.stretches()));
    next = stretches.isEmpty() ? 0 : stretches.element().from();
  }

  @Override
  public boolean hasNext() {
    return !stretches.isEmpty();
  }

  @Override
  public Block next() {
    if (stretches.isEmpty()) {
      throw new NoSuchElementException("there are no more blocks");
    }
    long to = stretches.element().to();
    Block block = order.block(next);
    Block part = block.within(next, Math.min(to, block.end()));
    next = part.end();
    if (next == to) {
      stretches.remove();
      next = stretches.isEmpty() ? 0 : stretches.element().from();
    }
    return part;
  }
}
