package dev.tarn.sharder.source.list;

import dev.tarn.client.storage.ForwardingStorage;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A storage that answers no question after an object before so many were asked at once. */
final class HeldLookups extends ForwardingStorage {
  private final CountDownLatch missing;
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  HeldLookups(Storage storage, int count) {
    super(storage);
    this.missing = new CountDownLatch(count);
  }

  @Override
  public StoredObject stat(StorageUrl url) throws IOException {
    most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
    missing.countDown();
    try {
      missing.await();
      return super.stat(url);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    } finally {
      underWay.decrementAndGet();
    }
  }

  /** How many questions were open at once at most. */
  int most() {
    return most.get();
  }
}
