package dev.tarn.sharder.pack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.storage.ForwardingStorage;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.ObjectWriter;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class RemoteShardsTest {
  private static final int SHARDS_MAX = 8;

  /** A storage that finishes no shard before there are too many, or a while has passed. */
  private static final class SlowStorage extends ForwardingStorage {
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final CountDownLatch tooMany = new CountDownLatch(SHARDS_MAX + 1);
    private final long start = System.nanoTime();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger openMax = new AtomicInteger();

    SlowStorage(Storage storage) {
      super(storage);
    }

    @Override
    public ObjectWriter create(StorageUrl url) throws IOException {
      if (!url.name().endsWith(".tar")) {
        return super.create(url);
      }
      tooMany.countDown();
      openMax.accumulateAndGet(open.incrementAndGet(), Math::max);
      return new ForwardingWriter(super.create(url)) {
        @Override
        public StoredObject commit() throws IOException {
          awaitTooMany();
          open.decrementAndGet();
          return super.commit();
        }
      };
    }

    private void awaitTooMany() {
      try {
        var _ = tooMany.await(start + WAIT_NANOS - System.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void shardsUnderWayToARemotePlaceAreBoundedWhateverTheJobs()
      throws IOException, InterruptedException {
    try (MemoryStorage storage = PackedMemory.storage()) {
      SlowStorage slow = new SlowStorage(storage);

      PackedMemory.pack(
          slow, PackedMemory.dataset("set"), 40, PackedMemory.options().maximumCount(2).build());

      assertThat(slow.openMax.get()).isBetween(2, SHARDS_MAX);
    }
  }
}
