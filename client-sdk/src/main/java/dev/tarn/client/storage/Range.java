package dev.tarn.client.storage;

import dev.tarn.client.storage.StorageException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A range of bytes within an object.
 *
 * @param offset of the first byte
 * @param end offset after the last byte
 */
public record Range(long offset, long end) {
  /** Reduces a requested range to the object's end, and checks the version. */
  public static Range within(StoredObject object, long offset, long end, @Nullable String etag)
      throws StorageException {
    if (etag != null && !etag.equals(object.etag())) {
      throw new StorageException(
          Kind.CHANGED,
          object.url(),
          "the object was replaced: its ETag is %s, expected %s".formatted(object.etag(), etag));
    }
    if (offset < 0 || end < offset || offset > object.size()) {
      throw new StorageException(
          Kind.INVALID,
          object.url(),
          "range %d to %d of an object of %d bytes: expected 0 <= offset <= size and offset <= end"
              .formatted(offset, end, object.size()));
    }
    return new Range(offset, Math.min(end, object.size()));
  }

  long length() {
    return end - offset;
  }
}
