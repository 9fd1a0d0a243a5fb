package dev.tarn.client.internal.prefetch;

import dev.tarn.shard.index.ShardIndex;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Consecutive bytes of an extent, in memory that counts against the budget. It starts with one
 * holder. When the last holder releases it, in any thread, its memory returns to the budget.
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

  /** The extent that it is a part of. */
  public Extent extent() {
    return fetch.extent();
  }

  /** The shard's index, if the extent needs it or is verified against it. */
  public Optional<ShardIndex> index() {
    return fetch.index();
  }

  /** The layout of the extent. */
  public ExtentLayout layout() {
    return fetch.layout();
  }

  /** Whether it is the extent's last chunk. */
  public boolean isLast() {
    return isLast;
  }

  /** The offset of its first byte in the stored file. */
  public long offset() {
    return offset;
  }

  /** Its bytes, from position to limit. */
  public ByteBuffer bytes() {
    return bytes;
  }

  /** Whether it holds {@code length} bytes of the stored file from {@code start} on. */
  public boolean covers(long start, long length) {
    return start >= offset && start + length <= offset + bytes.limit();
  }

  /** Adds a holder. */
  public void retain() {
    holders.incrementAndGet();
  }

  /** Removes a holder; the last one frees the memory. */
  public void release() {
    if (holders.decrementAndGet() == 0) {
      owner.free(bytes);
    }
  }
}
