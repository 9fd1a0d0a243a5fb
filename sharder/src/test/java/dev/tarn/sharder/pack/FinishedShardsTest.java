package dev.tarn.sharder.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.ForwardingStorage;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.plan.Plan;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How looking for finished shards ends before all are looked for. */
@Timeout(60)
final class FinishedShardsTest {
  private static final StorageUrl DATASET = PackedMemory.dataset("dataset");

  /** A storage that gives no index: it refuses some, and never answers of the others. */
  private static final class SilentStorage extends ForwardingStorage {
    private final Predicate<String> refused;
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch never = new CountDownLatch(1);

    SilentStorage(Storage storage, Predicate<String> refused) {
      super(storage);
      this.refused = refused;
    }

    @Override
    public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
        throws IOException {
      if (url.name().endsWith(".tarnidx")) {
        asked.countDown();
        if (!refused.test(url.name())) {
          await(never);
        }
        throw new StorageException(StorageException.Kind.DENIED, url, "refused");
      }
      return super.open(url, offset, end, etag);
    }

    private static void await(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void commit(Storage storage, SilentStorage silent)
      throws IOException, InterruptedException {
    PackedMemory.pack(storage, DATASET, 2);
    storage.delete(DATASET.child(DatasetManifest.FILE_NAME));
    try (Plan plan = PackedMemory.plan(storage, PackedMemory.options().build())) {
      new Packer(silent, DATASET, 1).commit(plan, new Progress());
    }
  }

  @Test
  void firstFailureEndsTheLookAtOnce() throws IOException {
    try (MemoryStorage storage = PackedMemory.storage()) {
      SilentStorage silent = new SilentStorage(storage, name -> name.startsWith("000."));

      assertThatThrownBy(() -> commit(storage, silent)).hasMessageContaining("refused");
    }
  }

  @Test
  void interruptionEndsTheLookAtOnce() throws IOException, InterruptedException {
    try (MemoryStorage storage = PackedMemory.storage()) {
      SilentStorage silent = new SilentStorage(storage, name -> false);
      Thread looking = Thread.currentThread();
      Thread interrupting =
          Thread.ofPlatform()
              .start(() -> {
                SilentStorage.await(silent.asked);
                looking.interrupt();
              });

      assertThatThrownBy(() -> commit(storage, silent)).isInstanceOf(InterruptedException.class);

      interrupting.join();
    }
  }

  @Test
  void progressCountsTheShardsThatAreThere() throws IOException, InterruptedException {
    try (MemoryStorage storage = PackedMemory.storage()) {
      PackedMemory.pack(storage, DATASET, 2);
      storage.delete(DATASET.child("train/003.tar.tarnidx"));
      try (Plan plan = PackedMemory.plan(storage, PackedMemory.options().build())) {
        Progress progress = new Progress();
        long missing = plan.shards().get(3).members();

        assertThatThrownBy(() -> new Packer(storage, DATASET, 1).commit(plan, progress))
            .hasMessageContaining("1 of 7 shards are missing");

        assertThat(progress.files()).isEqualTo(plan.header().members() - missing);
      }
    }
  }
}
