package dev.tarn.client.internal.prefetch;

import dev.tarn.client.internal.index.IndexStore;
import dev.tarn.client.internal.prefetch.ExtentLayout.ByteSpan;
import dev.tarn.client.storage.Storage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts extents into parts, in order. The first parts of an epoch are small and double, so that the
 * first sample comes soon.
 */
final class FetchPlan {
  private static final int FIRST_PART_BYTES = 256 * 1024;

  /** Of so many extents the indexes are fetched before their turn. */
  private static final int EXTENTS_AHEAD_MAX = 16;

  private final Iterator<Extent> extents;
  private final IndexStore indexes;
  private final FetchOptions options;
  private final Gaps gaps;
  private final ShardVersions versions = new ShardVersions();
  private final int partBytesMax;
  private final Storage storage;
  private final OpenStreams streams;
  private final Deque<ShardFetch> ahead = new ArrayDeque<>();

  /** The number of the present extent, from 0. */
  private long number;

  /** How many spans of the present extent are in parts that were handed out. */
  private int span;

  /** How many bytes of the next span are. */
  private long cut;

  private int partBytes;

  FetchPlan(
      Iterator<Extent> extents,
      IndexStore indexes,
      FetchOptions options,
      int partBytesMax,
      Storage storage,
      OpenStreams streams) {
    this.extents = extents;
    this.indexes = indexes;
    this.options = options;
    this.gaps = new Gaps(options.gaps());
    this.partBytesMax = partBytesMax;
    this.partBytes = Math.min(FIRST_PART_BYTES, partBytesMax);
    this.storage = storage;
    this.streams = streams;
    fill();
  }

  /** Whether all parts were handed out. */
  boolean isEnded() {
    return ahead.isEmpty();
  }

  /** The number of the extent that the next part is of, from 0 in the order of consumption. */
  long nextExtentNumber() {
    return number;
  }

  /** Whether the next part can be cut without asking the storage first. */
  boolean isSized() {
    return fetch().isSized();
  }

  /** Why the next part cannot be cut. */
  @Nullable Throwable openFailure() {
    return fetch().openFailure();
  }

  /**
   * The next extent of which is to be asked what is not known of it: the shard's size, its index.
   * Several may be asked at a time, of those that are not at hand yet only indexes.
   *
   * @param last the number of the last extent of which anything may be asked
   * @return null if there is none
   */
  @Nullable ShardFetch toOpen(long last) {
    fill();
    long candidate = number;
    for (ShardFetch fetch : ahead) {
      if (candidate > last) {
        return null;
      }
      candidate++;
      if (fetch.isToOpen() && (fetch == ahead.peek() || fetch.opensByIndex())) {
        return fetch;
      }
    }
    return null;
  }

  /** The length of the part that opening an extent may fetch at once. */
  int firstLength() {
    return partBytes;
  }

  /** The length of the next part. */
  int nextLength() {
    ByteSpan next = fetch().layout().stored().get(span);
    return (int) Math.min(partBytes, next.end() - next.start() - cut);
  }

  /** What the next part takes of the budget. */
  int nextMemoryBytes() {
    return SpareBuffers.capacity(nextLength(), partBytesMax, fetch().isOfFile());
  }

  /** The next part. */
  FetchTask next() {
    ShardFetch fetch = fetch();
    int length = nextLength();
    int memoryBytes = nextMemoryBytes();
    List<ByteSpan> stored = fetch.layout().stored();
    long extentNumber = number;
    long offset = stored.get(span).start() + cut;
    cut += length;
    partBytes = (int) Math.min(partBytesMax, 2L * partBytes);
    if (offset + length >= stored.get(span).end()) {
      span++;
      cut = 0;
    }
    boolean isLast = span == stored.size();
    if (isLast) {
      advance();
    }
    return new FetchTask(fetch, extentNumber, offset, length, memoryBytes, isLast);
  }

  /** Hands out no more parts of an extent. */
  void skip(ShardFetch fetch) {
    if (ahead.peek() == fetch) {
      advance();
    }
  }

  private void advance() {
    ahead.poll();
    number++;
    fill();
    span = 0;
    cut = 0;
  }

  private void fill() {
    while (ahead.size() < EXTENTS_AHEAD_MAX && extents.hasNext()) {
      ahead.add(
          new ShardFetch(
              extents.next(), storage, indexes, options.usesIndexes(), gaps, versions, streams));
    }
  }

  private ShardFetch fetch() {
    ShardFetch fetch = ahead.peek();
    if (fetch == null) {
      throw new IllegalStateException("all parts were handed out");
    }
    return fetch;
  }
}
