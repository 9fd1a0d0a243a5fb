package dev.tarn.client.prefetch;

import dev.tarn.client.prefetch.Chunk.Kind;
import dev.tarn.client.shards.ShardSource;
import dev.tarn.client.storage.Storage;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts shards into parts, in order. The first parts of an epoch are small and double, so that the
 * first sample comes soon.
 */
final class FetchPlan {
  private static final int FIRST_PART_BYTES = 256 * 1024;

  private final Iterator<ShardSource> shards;
  private final boolean indexes;
  private final int partBytesMax;
  private final Storage storage;
  private final OpenStreams streams;
  private @Nullable ShardFetch current;
  private boolean indexIsNext;
  private long offset;
  private int partBytes;

  FetchPlan(
      List<ShardSource> shards,
      boolean indexes,
      int partBytesMax,
      Storage storage,
      OpenStreams streams) {
    this.shards = shards.iterator();
    this.indexes = indexes;
    this.partBytesMax = partBytesMax;
    this.partBytes = Math.min(FIRST_PART_BYTES, partBytesMax);
    this.storage = storage;
    this.streams = streams;
    advance();
  }

  /** Whether all parts were handed out. */
  boolean isEnded() {
    return current == null;
  }

  /** Whether the next part can be cut without asking for the shard's size. */
  boolean isSized() {
    return indexIsNext || shard().isSized();
  }

  /** Asks for the size of the shard at hand. */
  void open() throws IOException {
    shard().open(partBytes);
  }

  /** The length of the next part. */
  int nextLength() {
    if (indexIsNext) {
      return shard().shard().index().orElseThrow().size();
    }
    return (int) Math.min(partBytes, shard().size() - offset);
  }

  /** The next part; of a shard whose size could not be had, an empty last one. */
  FetchTask next() {
    int length = nextLength();
    ShardFetch shard = shard();
    if (indexIsNext) {
      indexIsNext = false;
      return new FetchTask(shard, Kind.INDEX, 0, length);
    }
    long start = offset;
    offset += length;
    partBytes = (int) Math.min(partBytesMax, 2L * partBytes);
    boolean last = offset >= shard.size();
    if (last) {
      advance();
    }
    return new FetchTask(shard, last ? Kind.SHARD_END : Kind.SHARD, start, length);
  }

  private void advance() {
    current = shards.hasNext() ? new ShardFetch(shards.next(), storage, streams) : null;
    offset = 0;
    indexIsNext = indexes && current != null && current.shard().index().isPresent();
  }

  private ShardFetch shard() {
    ShardFetch shard = current;
    if (shard == null) {
      throw new IllegalStateException("all parts were handed out");
    }
    return shard;
  }
}
