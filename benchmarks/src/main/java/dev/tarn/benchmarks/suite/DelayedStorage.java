package dev.tarn.benchmarks.suite;

import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.ObjectWriter;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A storage far away: each GET of a shard takes so much longer to be answered. */
record DelayedStorage(Storage storage, Duration delay) implements Storage {
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
    if (url.path().endsWith(".tar")) {
      try {
        Thread.sleep(delay);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException) new InterruptedIOException("interrupted on the way").initCause(e);
      }
    }
    return storage.open(url, offset, end, etag);
  }

  @Override
  public ObjectWriter create(StorageUrl url) throws IOException {
    return storage.create(url);
  }

  @Override
  public void delete(StorageUrl url) throws IOException {
    storage.delete(url);
  }

  /** Leaves the storage open: it is its opener's. */
  @Override
  public void close() {}
}
