package dev.tarn.client.prefetch;

import dev.tarn.client.shards.ShardSource;
import java.nio.ByteBuffer;

/**
 * Consecutive bytes of a shard, or the whole of its index, in memory that counts against the
 * budget. It starts with one holder and goes back to the budget when the last lets go. Holders are
 * counted by one thread: the consumer's, or that which decompresses the shard in its stead.
 */
public final class Chunk {
  /** What the bytes are. */
  public enum Kind {
    /** The shard's index, before its first bytes. */
    INDEX,
    /** Bytes of the shard with more to come. */
    SHARD,
    /** The shard's last bytes. */
    SHARD_END
  }

  private final Prefetch owner;
  private final ShardSource shard;
  private final Kind kind;
  private final long offset;
  private final int budgeted;
  private final ByteBuffer bytes;
  private int holders = 1;

  Chunk(Prefetch owner, ShardSource shard, Kind kind, long offset, int budgeted, ByteBuffer bytes) {
    this.owner = owner;
    this.shard = shard;
    this.kind = kind;
    this.offset = offset;
    this.budgeted = budgeted;
    this.bytes = bytes;
  }

  /** The shard that it is of. */
  public ShardSource shard() {
    return shard;
  }

  /** What it is. */
  public Kind kind() {
    return kind;
  }

  /** Where its first byte lies in the stored file. */
  public long offset() {
    return offset;
  }

  /** Its bytes from position to limit, in an array. */
  public ByteBuffer bytes() {
    return bytes;
  }

  /** Whether the stored file's bytes from an offset on, so many, lie within it. */
  public boolean covers(long start, long length) {
    return start >= offset && start + length <= offset + bytes.limit();
  }

  /** Adds a holder. */
  public void retain() {
    holders++;
  }

  /** Takes a holder away; the last one's leave frees the memory. */
  public void release() {
    holders--;
    if (holders == 0) {
      owner.free(budgeted, kind == Kind.INDEX ? null : bytes);
    }
  }
}
