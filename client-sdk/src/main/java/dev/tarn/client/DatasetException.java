package dev.tarn.client;

import dev.tarn.client.storage.StorageUrl;
import org.jspecify.annotations.Nullable;

/**
 * A dataset cannot be read on: a shard is missing, cut short, replaced or corrupt. The message
 * names the shard, the offset and what is wrong; the cause is the storage's or the format's
 * exception.
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

  /** Where, in bytes of the uncompressed shard, or of the stored file if that was not fetched. */
  public long offset() {
    return offset;
  }
}
