package dev.tarn.client.storage;

import dev.tarn.client.storage.remote.RemoteStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sends each call to the storage of its URL's scheme; the remote one is opened when first needed.
 */
final class RoutedStorage implements Storage {
  private final StorageOptions options;
  private final Storage local = new LocalStorage();
  private @Nullable Storage remote;
  private boolean closed;

  RoutedStorage(StorageOptions options) {
    this.options = options;
  }

  @Override
  public Stream<StoredObject> list(StorageUrl folder) throws IOException {
    return of(folder).list(folder);
  }

  @Override
  public StoredObject stat(StorageUrl url) throws IOException {
    return of(url).stat(url);
  }

  @Override
  public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
      throws IOException {
    return of(url).open(url, offset, end, etag);
  }

  @Override
  public int read(StorageUrl url, long offset, ByteBuffer target) throws IOException {
    return of(url).read(url, offset, target);
  }

  @Override
  public ObjectWriter create(StorageUrl url) throws IOException {
    return of(url).create(url);
  }

  @Override
  public void delete(StorageUrl url) throws IOException {
    of(url).delete(url);
  }

  @Override
  public void discardUnfinished(StorageUrl folder, Set<String> names) throws IOException {
    of(folder).discardUnfinished(folder, names);
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (remote != null) {
      remote.close();
    }
  }

  private Storage of(StorageUrl url) throws StorageException {
    return switch (url.scheme()) {
      case FILE -> local;
      case HTTP, HTTPS, S3 -> remote(url);
      case MEMORY ->
          throw new StorageException(
              StorageException.Kind.INVALID, url, "only a MemoryStorage holds memory:// objects");
    };
  }

  private synchronized Storage remote(StorageUrl url) throws StorageException {
    if (closed) {
      throw new StorageException(StorageException.Kind.INVALID, url, "the storage is closed");
    }
    if (remote == null) {
      remote = new RemoteStorage(options);
    }
    return remote;
  }
}
