package dev.tarn.client.prefetch;

import dev.tarn.client.shards.ShardSource;
import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageException.Kind;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StorageUrl.Scheme;
import dev.tarn.client.storage.StoredObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the parts of one shard, each under the ETag of the first that came: parts of two versions
 * never mix.
 *
 * <p>Parts are ranged reads, several at a time. Web servers are read by one stream per shard
 * instead, since many of them know no ranges; its parts then wait for their turn.
 */
final class ShardFetch {
  private final ShardSource shard;
  private final OpenStreams streams;
  private final Storage storage;
  private final boolean ranged;

  /** The shard's one stream, or the first part's where opening it told the size. */
  private @Nullable ObjectStream stream;

  private @Nullable StoredObject version;
  private long size;
  private boolean sized;
  private boolean failed;

  ShardFetch(ShardSource shard, Storage storage, OpenStreams streams) {
    this.shard = shard;
    this.storage = storage;
    this.streams = streams;
    Scheme scheme = shard.url().scheme();
    this.ranged = scheme != Scheme.HTTP && scheme != Scheme.HTTPS;
    this.sized = ranged && shard.size().isPresent();
    this.size = shard.size().orElse(0);
  }

  ShardSource shard() {
    return shard;
  }

  /** Whether the length of the stored file is known. */
  synchronized boolean isSized() {
    return sized;
  }

  /** The length of the stored file. */
  synchronized long size() {
    return size;
  }

  /** Opens the shard, or its first part, to learn its size. */
  void open(int firstPartBytes) throws IOException {
    ObjectStream opened =
        streams.add(
            storage.open(shard.url(), 0, ranged ? firstPartBytes : Storage.TO_THE_END, null));
    synchronized (this) {
      checkVersion(opened.object());
      stream = opened;
      size = opened.object().size();
      sized = true;
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
    ObjectStream first = offset == 0 ? takeStream() : null;
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
    return version == null ? null : version.etag();
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
    StorageUrl url = shard.url();
    if (shard.size().isPresent() && found.size() != shard.size().orElseThrow()) {
      throw new StorageException(
          found.size() < shard.size().orElseThrow() ? Kind.TRUNCATED : Kind.CHANGED,
          url,
          "%d bytes long, the manifest says %d"
              .formatted(found.size(), shard.size().orElseThrow()));
    }
    if (version == null) {
      version = found;
    } else if (found.size() != version.size() || !Objects.equals(found.etag(), version.etag())) {
      throw new StorageException(
          Kind.CHANGED,
          url,
          "replaced while it was read: ETag %s, before %s".formatted(found.etag(), version.etag()));
    }
  }

  private synchronized void fail() {
    failed = true;
    notifyAll();
  }
}
