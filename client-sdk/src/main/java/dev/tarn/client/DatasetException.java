package dev.tarn.client;

import dev.tarn.client.storage.StorageUrl;
import org.jspecify.annotations.Nullable;

/**
 * A dataset cannot be read further: a shard is missing, cut short, replaced or corrupt. The message
 * names the shard, the offset and the problem. The cause is an exception of the storage or the
 * format.
 */
public final class DatasetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient StorageUrl shard;
  private final long offset;

  /** Describes a failure at an offset of a shard. */
  DatasetException(StorageUrl shard, long offset, String what, @Nullable Throwable cause) {
    super("shard %s at byte %d: %s".formatted(shard.printable(), offset, what), cause);
    this.shard = shard;
    this.offset = offset;
  }

  /** The shard. */
  public StorageUrl shard() {
    return shard;
  }

  /**
   * The offset in bytes of the uncompressed shard; in bytes of the stored file if the bytes could
   * not be fetched.
   */
  public long offset() {
    return offset;
  }
}
