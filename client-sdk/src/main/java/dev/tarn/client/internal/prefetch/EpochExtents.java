package dev.tarn.client.internal.prefetch;

import dev.tarn.client.internal.shards.ShardSource;
import dev.tarn.shard.order.Block;
import dev.tarn.shard.order.SampleRun;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The extents to fetch for the blocks of an epoch. Ascending runs of one shard become one extent. A
 * run of all samples becomes a whole shard, which needs no index.
 */
public final class EpochExtents implements Iterator<Extent> {
  private static final int RUNS_MAX = 1024;

  private final List<ShardSource> shards;
  private final Iterator<Block> blocks;
  private final Deque<SampleRun> runs = new ArrayDeque<>();

  /** The extents of these blocks. */
  public EpochExtents(List<ShardSource> shards, Iterator<Block> blocks) {
    this.shards = shards;
    this.blocks = blocks;
  }

  @Override
  public boolean hasNext() {
    return !runs.isEmpty() || blocks.hasNext();
  }

  @Override
  public Extent next() {
    SampleRun first = take();
    if (first == null) {
      throw new NoSuchElementException("there are no more extents");
    }
    List<SampleRun> together = new ArrayList<>();
    SampleRun last = first;
    for (SampleRun next = take(); next != null; next = take()) {
      boolean follows = next.shard() == first.shard() && next.from() >= last.to();
      if (!follows || together.size() == RUNS_MAX - 1) {
        runs.addFirst(next);
        break;
      }
      if (next.from() == last.to()) {
        last = new SampleRun(last.shard(), last.from(), next.to());
      } else {
        together.add(last);
        last = next;
      }
    }
    together.add(last);
    ShardSource shard = shards.get(first.shard());
    boolean isWhole = last.from() == 0 && last.to() == shard.samples().orElse(-1);
    return isWhole ? Extent.whole(shard) : Extent.part(shard, together);
  }

  private @Nullable SampleRun take() {
    while (runs.isEmpty() && blocks.hasNext()) {
      runs.addAll(blocks.next().runs());
    }
    return runs.poll();
  }
}
