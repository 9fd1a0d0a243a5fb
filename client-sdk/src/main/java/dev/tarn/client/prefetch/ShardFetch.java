package dev.tarn.client.prefetch;

import dev.tarn.client.index.IndexStore;
import dev.tarn.client.shards.ShardSource;
import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageException.Kind;
import dev.tarn.client.storage.StorageUrl.Scheme;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.index.ShardRestarts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the parts of one extent, each under the ETag of the first that came: parts of two
 * versions never mix.
 *
 * <p>Parts are ranged reads, several at a time. Web servers are read by one stream per extent
 * instead, since many of them know no ranges; its parts then wait for their turn.
 */
final class ShardFetch {
  private final Extent extent;
  private final ShardSource shard;
  private final OpenStreams streams;
  private final Storage storage;
  private final boolean ranged;

  private final IndexStore indexes;
  private final boolean needsIndex;

  private Optional<ShardIndex> index = Optional.empty();

  /** The extent's one stream, or the first part's where opening it told the size. */
  private @Nullable ObjectStream stream;

  private @Nullable StoredObject version;

  /** The extent's bytes in the stored file. */
  private long start;

  private long end;
  private boolean sized;
  private boolean failed;

  /**
   * @param verifies whether members are checked against the index, if the shard has one
   */
  ShardFetch(
      Extent extent, Storage storage, IndexStore indexes, boolean verifies, OpenStreams streams) {
    this.extent = extent;
    this.shard = extent.shard();
    this.storage = storage;
    this.streams = streams;
    this.indexes = indexes;
    this.needsIndex = !extent.isWhole() || (verifies && shard.index().isPresent());
    Scheme scheme = shard.url().scheme();
    this.ranged = scheme != Scheme.HTTP && scheme != Scheme.HTTPS;
    this.end = shard.size().orElse(0);
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

  /** Whether it is known where the extent begins and ends. */
  synchronized boolean isSized() {
    return sized;
  }

  /** Where the extent begins in the stored file. */
  synchronized long start() {
    return start;
  }

  /** Where the extent ends in the stored file. */
  synchronized long end() {
    return end;
  }

  /** Learns where the extent begins and ends; of its index, or else by opening its first part. */
  void open(int firstPartBytes) throws IOException {
    if (needsIndex) {
      ShardIndex found = indexes.get(shard);
      synchronized (this) {
        index = Optional.of(found);
        if (!extent.isWhole()) {
          locate(found);
        }
        sized = ranged && shard.size().isPresent();
        if (sized) {
          return;
        }
      }
    }
    long first = start();
    ObjectStream opened =
        streams.add(
            storage.open(
                shard.url(), first, ranged ? first + firstPartBytes : streamEnd(), etag()));
    synchronized (this) {
      checkVersion(opened.object());
      stream = opened;
      if (extent.isWhole()) {
        end = opened.object().size();
      }
      sized = true;
    }
  }

  private synchronized long streamEnd() {
    return extent.isWhole() ? Storage.TO_THE_END : end;
  }

  /** From the data of the first member to that of the last one, or all restarts that hold them. */
  private void locate(ShardIndex found) {
    int last = found.sampleStart(extent.to()) - 1;
    long from = found.memberOffset(found.sampleStart(extent.from()));
    long to = found.memberOffset(last) + found.memberSize(last);
    if (found.restarts().isPresent()) {
      ShardRestarts restarts = found.restarts().orElseThrow();
      start = restarts.storedOffset(restarts.before(from));
      end = restarts.storedEnd(to);
    } else {
      start = from;
      end = to;
    }
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
    return version == null ? shard.etag().orElse(null) : version.etag();
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
    if (version == null) {
      version = found;
    } else if (found.size() != version.size() || !Objects.equals(found.etag(), version.etag())) {
      throw new StorageException(
          Kind.CHANGED,
          shard.url(),
          "replaced while it was read: ETag %s, before %s".formatted(found.etag(), version.etag()));
    }
  }

  private synchronized void fail() {
    failed = true;
    notifyAll();
  }
}
