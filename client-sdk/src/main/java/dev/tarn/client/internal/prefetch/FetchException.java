package dev.tarn.client.internal.prefetch;

import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A part of a shard could not be fetched. */
public final class FetchException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Extent extent;
  private final long offset;

  FetchException(Extent extent, long offset, String what, @Nullable Throwable cause) {
    super(what, cause);
    this.extent = extent;
    this.offset = offset;
  }

  /** The extent of the part. */
  public Extent extent() {
    return extent;
  }

  /** The shard. */
  public StorageUrl url() {
    return extent.shard().url();
  }

  /** The offset of the part in the stored file. */
  public long offset() {
    return offset;
  }
}
