package dev.tarn.client.storage;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Optional;
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

  /** Opens local files, http, https and s3 with the settings that aws-cli would use. */
  static Storage open() {
    return open(StorageOptions.defaults());
  }

  /** Opens local files, http, https and s3 with these settings; connects when first needed. */
  static Storage open(StorageOptions options) {
    return new RoutedStorage(options);
  }

  /**
   * Lists all objects below a folder, at any depth, in the order of their names' bytes.
   *
   * <p>{@code s3://bucket/pre} and {@code s3://bucket/pre/} are the same folder and do not hold
   * {@code s3://bucket/prefix/x}. The listing streams: S3 holds one page at a time, local files the
   * names of the directories above the current file. Symbolic links to local directories are
   * followed. Local entries that are neither file nor directory are left out. http(s) cannot list.
   *
   * @return to be closed; if the listing breaks off, it throws an {@link
   *     java.io.UncheckedIOException} around a {@link StorageException}
   * @throws StorageException if there is no such folder, or it must not be listed; an S3 folder
   *     exists if its bucket does
   */
  Stream<StoredObject> list(StorageUrl folder) throws IOException;

  /**
   * Returns size and ETag of an object.
   *
   * @throws StorageException of kind MISSING if there is no such object
   */
  StoredObject stat(StorageUrl url) throws IOException;

  /** Whether there is an object with this name. */
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
   * Opens a range of an object as a stream. If a connection breaks, the stream requests the rest of
   * the same version again.
   *
   * @param offset of the first byte
   * @param end offset after the last byte; reduced to the object's end
   * @param etag of the version to read; null for the current version
   * @throws StorageException of kind MISSING, CHANGED (another ETag) or INVALID (offset after the
   *     object's end)
   */
  ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
      throws IOException;

  /** Opens a whole object as a stream. */
  default ObjectStream open(StorageUrl url) throws IOException {
    return open(url, 0, TO_THE_END, null);
  }

  /**
   * Reads the bytes at {@code offset} into the buffer, until it is full or the object ends.
   *
   * <p>This call suits many small reads: it makes one request on a kept connection. Several threads
   * may call it at once; requests above {@link StorageOptions#connectionsMax} wait for a
   * connection.
   *
   * @return the number of bytes read
   * @throws StorageException as for {@link #open(StorageUrl, long, long, String)}
   */
  default int read(StorageUrl url, long offset, ByteBuffer target) throws IOException {
    try (ObjectStream stream = open(url, offset, offset + target.remaining(), null)) {
      return stream.readFully(target);
    }
  }

  /**
   * Reads a whole small object by one request.
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
   * The origin of an object, as the object's server names it.
   *
   * @param url of the object at its origin, which is S3
   * @param endpoint of the origin, http(s); empty for Amazon's own
   * @param region of the origin; not blank
   */
  record NamedOrigin(StorageUrl url, Optional<URI> endpoint, String region) {
    /** Checks the parts. */
    public NamedOrigin {
      if (url.scheme() != StorageUrl.Scheme.S3) {
        throw new IllegalArgumentException(
            "%s was named as an origin, expected an s3:// URL".formatted(url));
      }
      // StorageOptions checks endpoint and region.
      StorageOptions.Builder options = StorageOptions.builder().region(region);
      endpoint.ifPresent(options::endpoint);
      options.build();
    }
  }

  /**
   * The origin of an object, as its server named it when the object was last read. Gateways of Tarn
   * name that of a manifest in a cached bucket.
   *
   * @return empty if the object was not read, or its server named none
   */
  default Optional<NamedOrigin> namedOrigin(StorageUrl url) throws IOException {
    return Optional.empty();
  }

  /**
   * Starts to write an object by a {@code LocalWriter} or {@code S3Writer}; makes local folders as
   * needed.
   *
   * @throws StorageException if nothing can be written there; http(s) is read-only
   */
  ObjectWriter create(StorageUrl url) throws IOException;

  /** Writes a small object, like {@link #create} and {@link ObjectWriter#commit}. */
  default StoredObject write(StorageUrl url, ByteBuffer content) throws IOException {
    try (ObjectWriter writer = create(url)) {
      writer.write(content);
      return writer.commit();
    }
  }

  /**
   * Deletes an object; a missing object is not an error. Its folder stays. A URL that ends in a
   * slash deletes an empty local folder.
   */
  void delete(StorageUrl url) throws IOException;

  /**
   * Deletes what killed writers left: temporary files, and multipart uploads if the storage lists
   * them and allows to abort them. Files of writers that are still running are deleted too.
   *
   * @param folder of the objects
   * @param names of the objects, relative to the folder; other objects' files stay
   */
  default void discardUnfinished(StorageUrl folder, Set<String> names) throws IOException {}

  /** Closes connections and threads; streams and writers that are still open fail. */
  @Override
  void close();
}
