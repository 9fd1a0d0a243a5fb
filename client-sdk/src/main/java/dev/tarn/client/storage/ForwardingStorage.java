package dev.tarn.client.storage;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A storage that passes all calls on to another one, including the close; subclasses change some
 * calls.
 */
public abstract class ForwardingStorage implements Storage {
  private final Storage storage;

  /** Passes calls on to this storage. */
  protected ForwardingStorage(Storage storage) {
    this.storage = requireNonNull(storage, "storage is null");
  }

  @Override
  public Stream<StoredObject> list(StorageUrl folder) throws IOException {
    return storage.list(folder);
  }

  @Override
  public StoredObject stat(StorageUrl url) throws IOException {
    return storage.stat(url);
  }

  @Override
  public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
      throws IOException {
    return storage.open(url, offset, end, etag);
  }

  @Override
  public Optional<NamedOrigin> namedOrigin(StorageUrl url) throws IOException {
    return storage.namedOrigin(url);
  }

  @Override
  public ObjectWriter create(StorageUrl url) throws IOException {
    return storage.create(url);
  }

  @Override
  public void delete(StorageUrl url) throws IOException {
    storage.delete(url);
  }

  @Override
  public void discardUnfinished(StorageUrl folder, Set<String> names) throws IOException {
    storage.discardUnfinished(folder, names);
  }

  @Override
  public void close() {
    storage.close();
  }
}
