package dev.tarn.client.prefetch;

import dev.tarn.client.prefetch.Chunk.Kind;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One part to fetch, its place in the queue, and what became of it. */
final class FetchTask {
  private final ShardFetch shard;
  private final Kind kind;
  private final long offset;
  private final int length;
  private @Nullable Chunk chunk;
  private @Nullable Throwable failure;

  FetchTask(ShardFetch shard, Kind kind, long offset, int length) {
    this.shard = shard;
    this.kind = kind;
    this.offset = offset;
    this.length = length;
  }

  int length() {
    return length;
  }

  /** Fetches the part into the buffer. */
  Chunk fetch(Prefetch owner, Storage storage, ByteBuffer buffer)
      throws IOException, InterruptedException {
    if (kind == Kind.INDEX) {
      fetchIndex(storage, buffer);
    } else if (length > 0) {
      shard.fill(offset, buffer);
      buffer.flip();
    }
    return new Chunk(owner, shard.shard(), kind, offset, length, buffer);
  }

  /** What a manifest lists must be there: without it nobody could tell what is corrupt. */
  private void fetchIndex(Storage storage, ByteBuffer buffer) throws IOException {
    StorageUrl url = shard.shard().index().orElseThrow().url();
    storage.read(url, 0, buffer);
    if (buffer.hasRemaining()) {
      throw new StorageException(
          StorageException.Kind.TRUNCATED,
          url,
          "%d bytes long, the manifest says %d".formatted(buffer.position(), buffer.capacity()));
    }
    buffer.flip();
  }

  void arrived(Chunk fetched) {
    chunk = fetched;
  }

  void failed(Throwable cause) {
    failure = cause;
  }

  boolean isDone() {
    return chunk != null || failure != null;
  }

  /** What arrived. */
  Chunk chunk() throws FetchException {
    Throwable cause = failure;
    if (cause != null) {
      String what = cause instanceof StorageException e ? e.what() : String.valueOf(cause);
      if (kind == Kind.INDEX) {
        what = "its index %s: %s".formatted(shard.shard().index().orElseThrow().url(), what);
      }
      throw new FetchException(shard.shard().url(), offset, what, cause);
    }
    Chunk fetched = chunk;
    if (fetched == null) {
      throw new IllegalStateException("the part is still under way");
    }
    return fetched;
  }
}
