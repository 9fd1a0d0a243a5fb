package dev.tarn.client.storage;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * The properties of one object that a storage reports.
 *
 * @param url of the object
 * @param size length in bytes
 * @param etag identifies this content, as the storage writes it, with its quotes; null if the
 *     storage gives none. For local files it is made of inode, modification time and size.
 */
public record StoredObject(StorageUrl url, long size, @Nullable String etag) {
  /** Checks the parts. */
  public StoredObject {
    requireNonNull(url, "url is null");
    if (size < 0) {
      throw new IllegalArgumentException("%s: size %d is negative".formatted(url, size));
    }
  }

  /**
   * Whether both can be the same content: the sizes are equal, and the ETags where both have one.
   * Some servers quote an ETag in one answer and not in another; that is no difference.
   */
  public boolean agreesWith(StoredObject other) {
    return size == other.size
        && (etag == null
            || other.etag == null
            || etag.replace("\"", "").equals(other.etag.replace("\"", "")));
  }
}
