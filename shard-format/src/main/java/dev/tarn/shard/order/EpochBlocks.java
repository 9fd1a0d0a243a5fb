package dev.tarn.shard.order;

import dev.tarn.shard.order.Positions.Span;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;

/** The blocks that hold some positions of an epoch, each cut to these positions. */
public final class EpochBlocks implements Iterator<Block> {
  private final EpochOrder order;
  private final Queue<Span> spans = new ArrayDeque<>();
  private long next;

  /**
   * The blocks of some positions.
   *
   * @param parts the positions, in the order in which they are read
   */
  public EpochBlocks(EpochOrder order, List<Positions> parts) {
    this.order = order;
    parts.forEach(part -> spans.addAll(part.spans()));
    next = spans.isEmpty() ? 0 : spans.element().from();
  }

  @Override
  public boolean hasNext() {
    return !spans.isEmpty();
  }

  @Override
  public Block next() {
    if (spans.isEmpty()) {
      throw new NoSuchElementException("there are no more blocks");
    }
    long to = spans.element().to();
    Block block = order.block(next);
    Block part = block.within(next, Math.min(to, block.end()));
    next = part.end();
    if (next == to) {
      spans.remove();
      next = spans.isEmpty() ? 0 : spans.element().from();
    }
    return part;
  }
}
