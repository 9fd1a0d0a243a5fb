package dev.tarn.client.storage;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * What a storage says about one object.
 *
 * @param url its full name
 * @param size its length in bytes
 * @param etag the storage's mark of this very content, as the storage writes it (with its quotes);
 *     null where the storage gives none. For local files it is made of inode, time of modification
 *     and size.
 */
public record StoredObject(StorageUrl url, long size, @Nullable String etag) {
  /** Checks the parts. */
  public StoredObject {
    requireNonNull(url, "url is null");
    if (size < 0) {
      throw new IllegalArgumentException("%s: size %d is negative".formatted(url, size));
    }
  }
}
