package dev.tarn.sharder.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.ForwardingStorage;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.ObjectWriter;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.ShardPattern;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.Planner;
import dev.tarn.sharder.plan.option.Order;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.shard.ShardAccess;
import dev.tarn.sharder.sort.SortSpace;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.StorageSource;
import dev.tarn.sharder.verify.DatasetVerifier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PackFaultTest {
  private static final StorageUrl SOURCE = StorageUrl.parse("memory://store/source");
  private static final StorageUrl DATASET = StorageUrl.parse("memory://store/dataset");

  /** A storage that has room for so many bytes. */
  private static final class SmallStorage extends ForwardingStorage {
    private long room;

    SmallStorage(Storage storage, long room) {
      super(storage);
      this.room = room;
    }

    @Override
    public ObjectWriter create(StorageUrl url) throws IOException {
      return new ForwardingWriter(super.create(url)) {
        @Override
        public int write(ByteBuffer source) throws IOException {
          use(url(), source.remaining());
          return super.write(source);
        }
      };
    }

    private synchronized void use(StorageUrl url, int length) throws StorageException {
      room -= length;
      if (room < 0) {
        throw new StorageException(StorageException.Kind.FULL, url, "no space left");
      }
    }
  }

  private static MemoryStorage storage() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    Random random = new Random(4);
    for (int i = 0; i < 200; i++) {
      byte[] bytes = new byte[random.nextInt(10_000)];
      random.nextBytes(bytes);
      storage.write(SOURCE.resolve("d/%03d.bin".formatted(i)), ByteBuffer.wrap(bytes));
    }
    storage.write(SOURCE.resolve("d/empty.bin"), ByteBuffer.allocate(0));
    return storage;
  }

  private static DatasetManifest pack(Storage storage, int jobs)
      throws IOException, InterruptedException {
    Source source = new StorageSource(storage, SOURCE);
    PlanOptions options =
        PlanOptions.builder()
            .pattern(new ShardPattern("train/%d.tar"))
            .maximumCount(50)
            .maximumSize(1 << 20)
            .order(Order.shuffled(1))
            .build();
    Planner planner = new Planner(options, Packer.ENCODER, SortSpace.usual());
    try (Plan plan = planner.plan(List.of(source), DATASET.toString())) {
      return new Packer(storage, DATASET, jobs).pack(plan, List.of(source), new Progress());
    }
  }

  @Test
  void objectsArePackedIntoObjects() throws IOException, InterruptedException {
    try (MemoryStorage storage = storage()) {
      DatasetManifest manifest = pack(storage, 16);

      assertThat(manifest.samples()).isEqualTo(201);
      assertThat(
              new DatasetVerifier(new ShardAccess(storage, SortSpace.usual().folder()), DATASET, 2)
                  .verify(manifest, new Progress()))
          .isEmpty();
      try (Stream<StoredObject> objects = storage.list(DATASET)) {
        assertThat(objects.map(object -> object.url().nameUnder(DATASET)))
            .contains("dataset.json", "train/0.tar", "train/0.tar.tarnidx", "train/4.tar");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 100_000, 300_000, 900_000})
  void fullDestinationFailsTheRunAndHoldsOnlyWholeFiles(long room) throws IOException {
    try (Storage storage = new SmallStorage(storage(), room)) {
      assertThatThrownBy(() -> pack(storage, 3))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("memory://store/dataset/")
          .hasMessageContaining("no space left");

      try (Stream<StoredObject> objects = storage.list(DATASET)) {
        List<StoredObject> written = objects.toList();
        assertThat(written).noneMatch(object -> object.url().name().equals("dataset.json"));
        for (StoredObject object : written) {
          assertThat(object.url().name().endsWith(".tarnidx") || object.size() % 10_240 == 0)
              .isTrue();
        }
      }
    }
  }

  /**
   * A storage that does something before it lists: when a run looks whether its files are there.
   */
  private static Storage beforeListing(MemoryStorage storage, PackInterference interference) {
    return new ForwardingStorage(storage) {
      @Override
      public Stream<StoredObject> list(StorageUrl folder) throws IOException {
        if (folder.equals(DATASET)) {
          interference.run();
        }
        return super.list(folder);
      }
    };
  }

  private interface PackInterference {
    void run() throws IOException;
  }

  @Test
  void runWhoseShardsWereReplacedByAnotherWritesNoManifest() throws IOException {
    MemoryStorage shared = storage();
    Storage storage =
        beforeListing(
            shared,
            () -> shared.write(DATASET.child("train/0.tar"), ByteBuffer.wrap(new byte[10_240])));

    assertThatThrownBy(() -> pack(storage, 2))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(
            "memory://store/dataset/train/0.tar: another process replaced or deleted it")
        .hasMessageContaining("one run at a time");
    assertThatThrownBy(() -> shared.stat(DATASET.child(DatasetManifest.FILE_NAME)))
        .isInstanceOf(StorageException.class);
  }

  @Test
  void runThatFindsAnothersManifestLeavesItAlone() throws IOException {
    MemoryStorage shared = storage();
    ByteBuffer manifest = ByteBuffer.wrap(new byte[] {'{', '}'});
    StorageUrl url = DATASET.child(DatasetManifest.FILE_NAME);
    Storage storage = beforeListing(shared, () -> shared.write(url, manifest.duplicate()));

    assertThatThrownBy(() -> pack(storage, 2)).hasMessageContaining("a dataset is there already");
    assertThat(shared.readAll(url, 10)).hasSize(2);
  }

  @Test
  void failureToTidyUpDoesNotHideTheFailure() throws IOException {
    Storage full = new SmallStorage(storage(), 100_000);
    Storage storage =
        new ForwardingStorage(full) {
          @Override
          public ObjectWriter create(StorageUrl url) throws IOException {
            return new ForwardingWriter(super.create(url)) {
              @Override
              public void close() throws IOException {
                throw new IOException("cannot tidy up");
              }
            };
          }
        };

    assertThatThrownBy(() -> pack(storage, 2))
        .hasMessageContaining("no space left")
        .satisfies(failure ->
            assertThat(failure.getSuppressed())
                .extracting(Throwable::getMessage)
                .contains("cannot tidy up"));
  }

  @Test
  void failureToTidyUpAfterAnInterruptionIsSaidToo() throws IOException {
    Thread packing = Thread.currentThread();
    Storage storage =
        new ForwardingStorage(storage()) {
          @Override
          public ObjectWriter create(StorageUrl url) throws IOException {
            return new ForwardingWriter(super.create(url)) {
              @Override
              public int write(ByteBuffer source) throws IOException {
                packing.interrupt();
                try {
                  new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
                throw new IOException("stopped");
              }

              @Override
              public void close() throws IOException {
                throw new IOException("cannot tidy up");
              }
            };
          }
        };

    assertThatThrownBy(() -> pack(storage, 2))
        .isInstanceOf(InterruptedException.class)
        .satisfies(failure ->
            assertThat(failure.getSuppressed())
                .extracting(Throwable::getMessage)
                .contains("cannot tidy up"));
  }
}
