package dev.tarn.client.internal.prefetch;

import dev.tarn.client.internal.index.IndexStore;
import dev.tarn.client.internal.shards.ShardSource;
import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageException.Kind;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StorageUrl.Scheme;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.index.ShardIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the parts of one extent. All are read under the ETag of the first, so that parts of two
 * versions never mix.
 *
 * <p>Parts are ranged reads, several at a time. Whole shards on web servers are read by one stream,
 * since many servers do not support ranges; their parts wait for each other.
 */
final class ShardFetch {
  private final Extent extent;
  private final ShardSource shard;
  private final OpenStreams streams;
  private final Storage storage;
  private final boolean ranged;

  private final IndexStore indexes;
  private final boolean needsIndex;
  private final Gaps gaps;
  private final Map<StorageUrl, StoredObject> versions;

  private Optional<ShardIndex> index = Optional.empty();

  /** The extent's only stream; or the first part's, if opening it gave the size. */
  private @Nullable ObjectStream stream;

  private @Nullable StoredObject version;

  private ExtentLayout layout;
  private boolean sized;
  private boolean failed;

  /** Whether a thread is opening it; guarded by the prefetch's lock, like the result. */
  private boolean opening;

  private @Nullable Throwable openFailure;

  /**
   * Makes the fetch.
   *
   * @param usesIndex whether the index is needed even for a whole shard, if there is one
   * @param gaps decides which gaps between runs are fetched
   * @param versions in which other parts of shards were read; safe for several threads
   */
  ShardFetch(
      Extent extent,
      Storage storage,
      IndexStore indexes,
      boolean usesIndex,
      Gaps gaps,
      Map<StorageUrl, StoredObject> versions,
      OpenStreams streams) {
    this.extent = extent;
    this.shard = extent.shard();
    this.storage = storage;
    this.streams = streams;
    this.indexes = indexes;
    this.gaps = gaps;
    this.versions = versions;
    this.needsIndex = !extent.isWhole() || (usesIndex && shard.index().isPresent());
    Scheme scheme = shard.url().scheme();
    this.ranged = !extent.isWhole() || (scheme != Scheme.HTTP && scheme != Scheme.HTTPS);
    this.layout = ExtentLayout.whole(shard.size().orElse(0));
    this.sized = ranged && !needsIndex && shard.size().isPresent();
  }

  Extent extent() {
    return extent;
  }

  ShardSource shard() {
    return shard;
  }

  /** The shard's index, if it was needed. */
  Optional<ShardIndex> index() {
    return index;
  }

  /** Whether begin and end of the extent are known. */
  synchronized boolean isSized() {
    return sized;
  }

  /** Whether the shard is a local file. */
  boolean isOfFile() {
    return shard.url().scheme() == Scheme.FILE;
  }

  /** The layout of the extent, once known. */
  synchronized ExtentLayout layout() {
    return layout;
  }

  /** Whether a thread should open it. */
  boolean isToOpen() {
    return !opening && openFailure == null && !isSized();
  }

  /** Whether opening it loads only the index, and so may be done long before it is read. */
  boolean opensByIndex() {
    return ranged && shard.size().isPresent();
  }

  void beginOpening() {
    opening = true;
  }

  void endOpening(@Nullable Throwable failure) {
    opening = false;
    openFailure = failure;
  }

  /** Why it could not be opened; null if it could. */
  @Nullable Throwable openFailure() {
    return openFailure;
  }

  /** Determines begin and end of the extent, by the index or by opening its first part. */
  void open(int firstPartBytes) throws IOException {
    if (needsIndex) {
      ShardIndex found = fetchIndex();
      synchronized (this) {
        index = Optional.of(found);
        if (!extent.isWhole()) {
          layout = ExtentLayout.of(extent, found, gaps);
        }
        sized = ranged && shard.size().isPresent();
        if (sized) {
          return;
        }
      }
    }
    long first = start();
    long end = ranged ? first + firstPartBytes : Storage.TO_THE_END;
    ObjectStream opened = streams.add(storage.open(shard.url(), first, end, etag()));
    synchronized (this) {
      checkVersion(opened.object());
      stream = opened;
      if (extent.isWhole()) {
        layout = ExtentLayout.whole(opened.object().size());
      }
      sized = true;
    }
  }

  /** Loads the index through a stream that a close cuts. */
  private ShardIndex fetchIndex() throws IOException {
    List<ObjectStream> opened = new ArrayList<>(1);
    try {
      return indexes.get(
          shard,
          storage,
          (from, url) -> {
            ObjectStream file = streams.add(from.open(url));
            opened.add(file);
            return file;
          });
    } finally {
      for (ObjectStream file : opened) {
        streams.close(file);
      }
    }
  }

  private synchronized long start() {
    return layout.stored().get(0).start();
  }

  /** Fills the buffer with the bytes from an offset on. */
  void fill(long offset, ByteBuffer target) throws IOException, InterruptedException {
    boolean whole = false;
    try {
      if (ranged) {
        fillByRange(offset, target);
      } else {
        fillInTurn(offset, target);
      }
      whole = true;
    } finally {
      if (!whole) {
        fail();
      }
    }
  }

  private void fillByRange(long offset, ByteBuffer target) throws IOException {
    ObjectStream first = offset == start() ? takeStream() : null;
    String etag = etag();
    ObjectStream opened =
        first != null
            ? first
            : streams.add(storage.open(shard.url(), offset, offset + target.remaining(), etag));
    try {
      synchronized (this) {
        checkVersion(opened.object());
      }
      readFully(opened, target);
    } finally {
      streams.close(opened);
    }
  }

  private synchronized @Nullable ObjectStream takeStream() {
    ObjectStream taken = stream;
    stream = null;
    return taken;
  }

  private synchronized @Nullable String etag() {
    StoredObject first = version;
    return first == null || first.etag() == null ? shard.etag().orElse(null) : first.etag();
  }

  private void fillInTurn(long offset, ByteBuffer target) throws IOException, InterruptedException {
    ObjectStream turn;
    synchronized (this) {
      while (!failed && stream != null && stream.position() != offset) {
        wait();
      }
      if (failed || stream == null) {
        throw new StorageException(Kind.FAILED, shard.url(), "an earlier part could not be read");
      }
      turn = stream;
    }
    readFully(turn, target);
    if (turn.position() == turn.end()) {
      streams.close(turn);
    }
    synchronized (this) {
      notifyAll();
    }
  }

  private void readFully(ObjectStream from, ByteBuffer target) throws IOException {
    from.readFully(target);
    if (target.hasRemaining()) {
      throw new StorageException(
          Kind.TRUNCATED,
          shard.url(),
          "ends at byte %d, %d bytes were expected after it"
              .formatted(from.position(), target.remaining()));
    }
  }

  private void checkVersion(StoredObject found) throws StorageException {
    shard.requireSame(found);
    StoredObject first = version;
    if (first == null) {
      first = extent.isWhole() ? found : firstVersion(found);
      version = first;
    }
    if (!found.agreesWith(first)) {
      throw new StorageException(
          Kind.CHANGED,
          shard.url(),
          "replaced while it was read: ETag %s and %d bytes, before %s and %d"
              .formatted(found.etag(), found.size(), first.etag(), first.size()));
    }
    if (first.etag() == null) {
      version = extent.isWhole() ? found : firstVersion(found);
    }
  }

  /** The version of the shard that was read first and has an ETag, which may be this one. */
  private StoredObject firstVersion(StoredObject found) {
    return versions.merge(
        found.url(), found, (first, other) -> first.etag() == null ? other : first);
  }

  private synchronized void fail() {
    failed = true;
    notifyAll();
  }
}
