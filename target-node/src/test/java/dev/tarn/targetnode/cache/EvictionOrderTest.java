package dev.tarn.targetnode.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.Origin;
import dev.tarn.cluster.target.Evicted;
import dev.tarn.cluster.target.OutdatedKey;
import dev.tarn.targetnode.store.CacheSettings;
import dev.tarn.targetnode.store.Change;
import dev.tarn.targetnode.store.CommitView;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Piece;
import dev.tarn.targetnode.store.space.DiskEviction;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a read is about to keep when an object is evicted is dropped, too. */
class EvictionOrderTest {
  private static final ObjectName NAME = new ObjectName(new BucketId(1), ObjectKey.of("key"));

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void entryThatIsDecidedAndNotYetVisibleIsDropped(boolean byKey) throws Exception {
    try (CachedRecordsFixture fixture = new CachedRecordsFixture();
        CachingNode node = fixture.open(new SimulatedDisk(folder), CacheSettings.Policy.TENURE)) {
      DiskStore store = node.store();
      Holding first = new Holding();
      Holding second = new Holding();
      store.commit(first, Durability.SYSTEM);
      first.awaitHeld();
      // The next two are one batch: the entry is decided while the second is held.
      store.commit(EvictionOrderTest::keep, Durability.SYSTEM);
      store.commit(second, Durability.SYSTEM);
      first.release();
      second.awaitHeld();

      FutureTask<Evicted> eviction = new FutureTask<>(() -> evict(store, byKey));
      Thread thread = Thread.ofPlatform().start(eviction);
      while (thread.getState() == Thread.State.RUNNABLE || thread.getState() == Thread.State.NEW) {
        Thread.onSpinWait();
      }
      second.release();

      assertThat(eviction.get().objects()).isEqualTo(1);
      assertThat(store.index().find(NAME)).matches(entry -> CacheEntries.objectOf(entry) == null);
    }
  }

  private static Evicted evict(DiskStore store, boolean byKey) throws IOException {
    DiskEviction eviction = new DiskEviction(store);
    return byKey
        ? eviction.evict(NAME.bucket(), List.of(new OutdatedKey(NAME.key(), "")))
        : eviction.evict(NAME.bucket(), "", "", 10);
  }

  /** A change that writes nothing, and that holds the disk's changes while it is decided. */
  private static final class Holding implements Change<Boolean> {
    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    @Override
    public Decision<Boolean> decide(CommitView view) {
      held.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      return new Decision.Nothing<>(true);
    }

    void awaitHeld() throws InterruptedException {
      held.await();
    }

    void release() {
      released.countDown();
    }
  }

  private static Decision<Boolean> keep(CommitView view) {
    ObjectMetadata metadata =
        new ObjectMetadata(
            NAME,
            view.nextVersion(),
            true,
            false,
            3,
            "etag",
            List.of(),
            ObjectAttributes.NONE,
            1,
            List.of(),
            new Origin("\"etag\"", null, 1, 1));
    ObjectRecord object = ObjectRecord.first(metadata, "", List.of(new Piece.Inline(3)));
    return new Decision.Write<>(
        new LogEntry.ObjectStored(object), ByteBuffer.wrap(new byte[3]), true);
  }
}
