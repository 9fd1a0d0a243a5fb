package dev.tarn.client.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Objects named by URL: list, stat, read, write, delete.
 *
 * <p>All calls block and are safe from many threads at once, platform or virtual; a call waits no
 * longer than the timeouts of {@link StorageOptions}, and an {@link ObjectStream} can be closed
 * from another thread. What can be tried again is tried again within the {@link RetryPolicy}; a
 * {@link StorageException} is the last word.
 *
 * <pre>{@code
 * try (Storage storage = Storage.open();
 *         ObjectStream shard = storage.open(StorageUrl.parse("s3://data/train/shard-000000.tar"))) {
 *     shard.readFully(buffer);
 * }
 * }</pre>
 */
public interface Storage extends AutoCloseable {
  /** As the end of a range: the object's end. */
  long TO_THE_END = Long.MAX_VALUE;

  /** Reaches local files, http, https and s3, with the settings that aws-cli would use. */
  static Storage open() {
    return open(StorageOptions.defaults());
  }

  /**
   * Reaches local files, http, https and s3 with settings of its own; connects when first needed.
   */
  static Storage open(StorageOptions options) {
    return new RoutedStorage(options);
  }

  /**
   * All objects below a folder, at any depth, in the order of their names' bytes.
   *
   * <p>{@code s3://bucket/pre} and {@code s3://bucket/pre/} are the same folder and do not hold
   * {@code s3://bucket/prefix/x}. It streams: an S3 listing holds a page at a time, a local one the
   * names of the directories on the path to the present file. Local directories are followed
   * through symbolic links; what is neither file nor directory is left out. http(s) has no listing.
   *
   * @return to be closed; it throws {@link java.io.UncheckedIOException} around a {@link
   *     StorageException} if the listing breaks off
   * @throws StorageException if there is no such folder (an S3 folder always exists if its bucket
   *     does), or it may not be listed
   */
  Stream<StoredObject> list(StorageUrl folder) throws IOException;

  /**
   * Size and ETag of one object.
   *
   * @throws StorageException of kind MISSING if there is none
   */
  StoredObject stat(StorageUrl url) throws IOException;

  /** Whether there is an object of that name. */
  default boolean exists(StorageUrl url) throws IOException {
    try {
      stat(url);
      return true;
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.MISSING) {
        return false;
      }
      throw e;
    }
  }

  /**
   * The bytes of an object from {@code offset} (inclusive) to {@code end} (exclusive; cut at the
   * object's end), as a stream that asks again when a connection breaks, and then goes on where it
   * was, in the same version of the object.
   *
   * @param etag the version to read; null for the present one
   * @throws StorageException of kind MISSING, CHANGED (another ETag) or INVALID (offset past the
   *     object's end)
   */
  ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
      throws IOException;

  /** The bytes of a whole object. */
  default ObjectStream open(StorageUrl url) throws IOException {
    return open(url, 0, TO_THE_END, null);
  }

  /**
   * Reads the bytes at {@code offset} into the buffer: as many as it has room for, fewer only at
   * the object's end.
   *
   * <p>This is the call for many small reads: one request on a kept connection. Any number may be
   * in flight, each in a thread of the caller's; those above {@link StorageOptions#connectionsMax}
   * wait for a connection.
   *
   * @return the number of bytes read
   * @throws StorageException as {@link #open(StorageUrl, long, long, String)} does
   */
  default int read(StorageUrl url, long offset, ByteBuffer target) throws IOException {
    try (ObjectStream stream = open(url, offset, offset + target.remaining(), null)) {
      return stream.readFully(target);
    }
  }

  /**
   * The bytes of a whole small object, by one request.
   *
   * @throws StorageException of kind INVALID if it is longer than {@code bytesMax}
   */
  default byte[] readAll(StorageUrl url, int bytesMax) throws IOException {
    try (ObjectStream stream = open(url)) {
      if (stream.end() > bytesMax) {
        throw new StorageException(
            StorageException.Kind.INVALID,
            url,
            "%d bytes long, expected at most %d".formatted(stream.end(), bytesMax));
      }
      byte[] bytes = new byte[(int) stream.end()];
      stream.readFully(ByteBuffer.wrap(bytes));
      return bytes;
    }
  }

  /**
   * Starts an object of that name; local folders are made as needed.
   *
   * @throws StorageException if nothing can be written there; http(s) is read-only
   */
  ObjectWriter create(StorageUrl url) throws IOException;

  /** Writes a small object in one step; as {@link #create} and {@link ObjectWriter#commit} do. */
  default StoredObject write(StorageUrl url, ByteBuffer content) throws IOException {
    try (ObjectWriter writer = create(url)) {
      writer.write(content);
      return writer.commit();
    }
  }

  /**
   * Deletes an object; that there is none is no error. Its folder stays: a URL that ends in a slash
   * deletes a local one, if it is empty.
   */
  void delete(StorageUrl url) throws IOException;

  /**
   * Throws away what is left of writers that neither committed nor closed, since their process was
   * killed: temporary files, and multipart uploads as far as the storage lists them and lets them
   * be aborted. Those of writers that are still at work are thrown away, too.
   *
   * @param folder below which the objects would be
   * @param names of the objects, relative to the folder; what is begun of others is left alone
   */
  default void discardUnfinished(StorageUrl folder, Set<String> names) throws IOException {}

  /** Closes connections and threads; streams and writers that are still open fail. */
  @Override
  void close();
}
