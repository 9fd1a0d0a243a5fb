package dev.tarn.client;

import dev.tarn.client.ShardReading.Placed;
import dev.tarn.client.prefetch.FetchException;
import dev.tarn.client.prefetch.Prefetch;
import dev.tarn.client.order.SeededOrder;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.ShardFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * One pass over a dataset. Samples are parsed in the consumer's thread, a block at a time (a block
 * of one without block shuffle), while the prefetch fills the budget behind it.
 */
final class EpochIterator implements SampleIterator {
  private final Prefetch prefetch;
  private final SeededOrder order;
  private final long blockBytes;
  private final long sampleBytesMax;
  private final Deque<Sample> ready = new ArrayDeque<>();
  private @Nullable ShardReading shard;
  private @Nullable Sample delivered;

  /** The first sample of the next block, read to find the end of the one before. */
  private @Nullable Placed following;

  /** Uncompressed bytes of the shards before the present one. */
  private long shardStart;

  private boolean ended;
  private volatile boolean closed;

  /**
   * Starts an epoch.
   *
   * @param blockBytes the length of the blocks to shuffle, 0 for none
   */
  EpochIterator(Prefetch prefetch, SeededOrder order, long blockBytes, long sampleBytesMax) {
    this.prefetch = prefetch;
    this.order = order;
    this.blockBytes = blockBytes;
    this.sampleBytesMax = sampleBytesMax;
  }

  @Override
  public boolean hasNext() {
    if (ready.isEmpty() && !ended) {
      gather();
    }
    return !ready.isEmpty();
  }

  @Override
  public Sample next() {
    letGo();
    if (!hasNext()) {
      throw new NoSuchElementException("the epoch has no more samples");
    }
    Sample sample = ready.remove();
    delivered = sample;
    return sample;
  }

  private void letGo() {
    Sample before = delivered;
    delivered = null;
    if (before != null) {
      before.release();
    }
  }

  private void gather() {
    if (closed) {
      throw new IllegalStateException("the iterator is closed");
    }
    boolean done = false;
    try {
      if (blockBytes == 0) {
        Placed placed = nextPlaced();
        if (placed != null) {
          ready.add(placed.sample());
        }
      } else {
        gatherBlock();
      }
      done = true;
    } catch (IOException e) {
      throw failure(e);
    } finally {
      ended = !done || ready.isEmpty();
      if (ended) {
        close();
      }
    }
  }

  private void gatherBlock() throws IOException {
    Placed first = following != null ? following : nextPlaced();
    following = null;
    if (first == null) {
      return;
    }
    long block = first.offset() / blockBytes;
    List<Sample> samples = new ArrayList<>();
    Placed placed = first;
    while (placed != null && placed.offset() / blockBytes == block) {
      samples.add(placed.sample());
      placed = nextPlaced();
    }
    following = placed;
    for (int i : order.block(samples.size(), block)) {
      ready.add(samples.get(i));
    }
  }

  /** The next sample in the order of the shards, its offset counted from the epoch's start. */
  private @Nullable Placed nextPlaced() throws IOException {
    while (true) {
      if (shard == null) {
        shard = ShardReading.next(prefetch, sampleBytesMax);
        if (shard == null) {
          return null;
        }
      }
      Placed placed = shard.next();
      if (placed != null) {
        return new Placed(placed.sample(), shardStart + placed.offset());
      }
      shardStart += shard.position();
      shard.close();
      shard = null;
    }
  }

  private RuntimeException failure(IOException e) {
    if (e instanceof FetchException fetch && !closed) {
      return new DatasetException(
          fetch.url(), fetch.offset(), String.valueOf(fetch.getMessage()), fetch.getCause());
    }
    if (closed) {
      return new IllegalStateException("the iterator was closed while it was read", e);
    }
    if (shard == null) {
      return new UncheckedIOException(e);
    }
    StorageUrl url = shard.shard().url();
    long offset = e instanceof ShardFormatException format ? format.offset() : shard.position();
    return new DatasetException(url, offset, String.valueOf(e.getMessage()), e);
  }

  /** The bytes that it holds now. */
  long usedBytes() {
    return prefetch.usedBytes();
  }

  @Override
  public void close() {
    closed = true;
    prefetch.close();
  }
}
