package dev.tarn.benchmarks.suite;

import dev.tarn.client.storage.ForwardingStorage;
import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A storage with a delay before each GET of a shard, like a distant storage. */
final class DelayedStorage extends ForwardingStorage {
  private final Duration delay;

  DelayedStorage(Storage storage, Duration delay) {
    super(storage);
    this.delay = delay;
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
    return super.open(url, offset, end, etag);
  }

  /** Does nothing; the caller that opened the storage closes it. */
  @Override
  public void close() {}
}
