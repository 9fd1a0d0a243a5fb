package dev.tarn.client;

import dev.tarn.client.order.Block;
import dev.tarn.client.order.SampleRun;
import dev.tarn.client.prefetch.Extent;
import dev.tarn.client.shards.ShardSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * What is fetched for an epoch's blocks: runs that follow each other in a shard together, and whole
 * shards as such, for which no index is needed.
 */
final class EpochExtents implements Iterator<Extent> {
  private final List<ShardSource> shards;
  private final Iterator<Block> blocks;
  private final Deque<SampleRun> runs = new ArrayDeque<>();

  EpochExtents(List<ShardSource> shards, Iterator<Block> blocks) {
    this.shards = shards;
    this.blocks = blocks;
  }

  @Override
  public boolean hasNext() {
    return !runs.isEmpty() || blocks.hasNext();
  }

  @Override
  public Extent next() {
    SampleRun run = take();
    if (run == null) {
      throw new NoSuchElementException("there are no more extents");
    }
    for (SampleRun next = take(); next != null; next = take()) {
      if (next.shard() != run.shard() || next.from() != run.to()) {
        runs.addFirst(next);
        break;
      }
      run = new SampleRun(run.shard(), run.from(), next.to());
    }
    ShardSource shard = shards.get(run.shard());
    boolean isWhole = run.from() == 0 && run.to() == shard.samples().orElse(-1);
    return isWhole ? Extent.whole(shard) : Extent.part(shard, run.from(), run.to());
  }

  private @Nullable SampleRun take() {
    while (runs.isEmpty() && blocks.hasNext()) {
      runs.addAll(blocks.next().runs());
    }
    return runs.poll();
  }
}
