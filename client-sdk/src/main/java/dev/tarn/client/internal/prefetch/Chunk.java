package dev.tarn.client.internal.prefetch;

import dev.tarn.shard.index.ShardIndex;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Consecutive bytes of an extent, in memory that counts against the budget. It starts with one
 * holder and goes back to the budget when the last lets go, in any thread.
 */
public final class Chunk {
  private final Prefetch owner;
  private final ShardFetch fetch;
  private final boolean isLast;
  private final long offset;
  private final ByteBuffer bytes;
  private final AtomicInteger holders = new AtomicInteger(1);

  Chunk(Prefetch owner, ShardFetch fetch, long offset, boolean isLast, ByteBuffer bytes) {
    this.owner = owner;
    this.fetch = fetch;
    this.offset = offset;
    this.isLast = isLast;
    this.bytes = bytes;
  }

  /** What it is of. */
  public Extent extent() {
    return fetch.extent();
  }

  /** The shard's index, if the extent needs it or is checked against it. */
  public Optional<ShardIndex> index() {
    return fetch.index();
  }

  /** Where the extent's bytes lie. */
  public ExtentLayout layout() {
    return fetch.layout();
  }

  /** Whether the extent's bytes end with it. */
  public boolean isLast() {
    return isLast;
  }

  /** Where its first byte lies in the stored file. */
  public long offset() {
    return offset;
  }

  /** Its bytes from position to limit. */
  public ByteBuffer bytes() {
    return bytes;
  }

  /** Whether the stored file's bytes from an offset on, so many, lie within it. */
  public boolean covers(long start, long length) {
    return start >= offset && start + length <= offset + bytes.limit();
  }

  /** Adds a holder. */
  public void retain() {
    holders.incrementAndGet();
  }

  /** Takes a holder away; the last one's leave frees the memory. */
  public void release() {
    if (holders.decrementAndGet() == 0) {
      owner.free(bytes);
    }
  }
}
