package dev.tarn.client.prefetch;

import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A part of a shard could not be fetched. */
public final class FetchException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient StorageUrl url;
  private final long offset;

  FetchException(StorageUrl url, long offset, String what, @Nullable Throwable cause) {
    super(what, cause);
    this.url = url;
    this.offset = offset;
  }

  /** The shard. */
  public StorageUrl url() {
    return url;
  }

  /** The first byte of the part, in the stored file. */
  public long offset() {
    return offset;
  }
}
