package dev.tarn.client.prefetch;

import dev.tarn.client.index.IndexStore;
import dev.tarn.client.prefetch.ExtentLayout.Stretch;
import dev.tarn.client.storage.Storage;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts extents into parts, in order. The first parts of an epoch are small and double, so that the
 * first sample comes soon.
 */
final class FetchPlan {
  private static final int FIRST_PART_BYTES = 256 * 1024;

  private final Iterator<Extent> extents;
  private final IndexStore indexes;
  private final boolean usesIndexes;
  private final Gaps gaps;
  private final ShardVersions versions = new ShardVersions();
  private final int partBytesMax;
  private final Storage storage;
  private final OpenStreams streams;
  private @Nullable ShardFetch current;

  /** How many stretches of the present extent are in parts that were handed out. */
  private int stretch;

  /** How many bytes of the next stretch are. */
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
    this.usesIndexes = options.usesIndexes();
    this.gaps = new Gaps(options.gapBytesMax());
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

  /** Whether the next part can be cut without asking the storage first. */
  boolean isSized() {
    return fetch().isSized();
  }

  /** Asks for what is not known of the extent at hand: the shard's size, its index. */
  void open() throws IOException {
    fetch().open(partBytes);
  }

  /** The length of the next part. */
  int nextLength() {
    Stretch next = fetch().layout().stored().get(stretch);
    return (int) Math.min(partBytes, next.end() - next.start() - cut);
  }

  /** The next part. */
  FetchTask next() {
    ShardFetch fetch = fetch();
    int length = nextLength();
    List<Stretch> stored = fetch.layout().stored();
    long offset = stored.get(stretch).start() + cut;
    cut += length;
    partBytes = (int) Math.min(partBytesMax, 2L * partBytes);
    if (offset + length >= stored.get(stretch).end()) {
      stretch++;
      cut = 0;
    }
    boolean isLast = stretch == stored.size();
    if (isLast) {
      advance();
    }
    return new FetchTask(fetch, offset, length, isLast);
  }

  /** Hands out no more parts of an extent. */
  void skip(ShardFetch fetch) {
    if (current == fetch) {
      advance();
    }
  }

  private void advance() {
    current =
        extents.hasNext()
            ? new ShardFetch(extents.next(), storage, indexes, usesIndexes, gaps, versions, streams)
            : null;
    stretch = 0;
    cut = 0;
  }

  private ShardFetch fetch() {
    ShardFetch fetch = current;
    if (fetch == null) {
      throw new IllegalStateException("all parts were handed out");
    }
    return fetch;
  }
}
