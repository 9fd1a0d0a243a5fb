package dev.tarn.client.internal.prefetch;

import dev.tarn.client.internal.index.IndexStore;
import dev.tarn.client.internal.prefetch.ExtentLayout.ByteSpan;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.LruMap;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cuts extents into parts, in order. The parts of an epoch's beginning are small and double in
 * length, so that the first sample comes soon.
 */
final class FetchPlan {
  private static final int FIRST_PART_BYTES = 256 * 1024;

  /** The indexes of so many extents are fetched ahead. */
  private static final int EXTENTS_AHEAD_MAX = 16;

  private static final int VERSIONS_MAX = 1 << 16;

  private final Iterator<Extent> extents;
  private final IndexStore indexes;
  private final FetchOptions options;

  /** The version of each shard of which a part was read, so that all parts are of one version. */
  private final Map<StorageUrl, StoredObject> versions =
      Collections.synchronizedMap(new LruMap<>(VERSIONS_MAX));

  private final int partBytesMax;
  private final Storage storage;
  private final OpenStreams streams;
  private final Deque<ShardFetch> ahead = new ArrayDeque<>();

  /** The number of the current extent, from 0. */
  private long number;

  /** How many spans of the current extent were cut completely. */
  private int span;

  /** How many bytes of the next span were cut. */
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
    this.partBytesMax = partBytesMax;
    this.partBytes = Math.min(FIRST_PART_BYTES, partBytesMax);
    this.storage = storage;
    this.streams = streams;
    fill();
  }

  /** Whether all parts were returned. */
  boolean isEnded() {
    return ahead.isEmpty();
  }

  /** The number of the next part's extent, from 0 in the order of consumption. */
  long nextExtentNumber() {
    return number;
  }

  /** Whether the next part can be cut without a request to the storage. */
  boolean isSized() {
    return fetch().isSized();
  }

  /** Why the next part cannot be cut; null if it can. */
  @Nullable Throwable openFailure() {
    return fetch().openFailure();
  }

  /**
   * The next extent to open, which loads the shard's size and its index. Several may be opened at
   * once; of extents behind the current one only those that need nothing but an index.
   *
   * @param last number of the last extent that may be opened
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

  /** The length of the part that opening an extent may fetch. */
  int firstLength() {
    return partBytes;
  }

  /** The length of the next part, in bytes. */
  int nextLength() {
    ByteSpan next = fetch().layout().stored().get(span);
    return (int) Math.min(partBytes, next.end() - next.start() - cut);
  }

  /** How many bytes of the budget the next part takes. */
  int nextMemoryBytes() {
    return SpareBuffers.capacity(nextLength(), partBytesMax, fetch().isOfFile());
  }

  /** Cuts the next part. */
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

  /** Cuts no more parts of an extent. */
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
              extents.next(),
              storage,
              indexes,
              options.usesIndexes(),
              options.gaps(),
              versions,
              streams));
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
