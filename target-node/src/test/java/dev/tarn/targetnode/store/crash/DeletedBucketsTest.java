package dev.tarn.targetnode.store.crash;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.targetnode.local.Calls;
import dev.tarn.targetnode.store.disk.LocalDisk;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import dev.tarn.targetnode.store.index.IndexCursor;
import dev.tarn.targetnode.store.residents.CacheShare;
import dev.tarn.targetnode.store.space.Compactor;
import dev.tarn.targetnode.store.space.DeletedBuckets;
import dev.tarn.targetnode.store.space.Reclaimer;
import dev.tarn.targetnode.store.space.Tombstones;
import dev.tarn.targetnode.upkeep.Upkeep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What deleted buckets leave on a disk goes, and nothing else. */
@Timeout(60)
final class DeletedBucketsTest {
  private static final BucketId KEPT_BEFORE = new BucketId(1);
  private static final BucketId DELETED = new BucketId(2);
  private static final BucketId KEPT_BEHIND = new BucketId(3);
  private static final BucketId NEWER_THAN_THE_STATE = new BucketId(Long.MAX_VALUE);
  private static final List<BucketId> ALL =
      List.of(KEPT_BEFORE, DELETED, KEPT_BEHIND, NEWER_THAN_THE_STATE);

  /** Two inline objects, two extents, a version and its marker, an upload: in each bucket. */
  private static final int ENTRIES = 7;

  @TempDir private Path directory;

  private static void fill(OneDisk node, BucketId bucket) {
    Calls calls = node.calls(bucket);
    value(calls.put("inline-1", new byte[100]));
    value(calls.put("inline-2", new byte[100]));
    value(calls.put("large-1", new byte[50_000]));
    value(calls.put("large-2", new byte[50_000]));
    node.setVersioning(bucket, Versioning.ENABLED);
    value(calls.put("versioned", new byte[100]));
    value(calls.delete("versioned"));
    node.setVersioning(bucket, Versioning.SUSPENDED);
    String upload = value(calls.create("open"));
    value(calls.putPart("open", upload, 1, new byte[50_000]));
  }

  private static void requireWhole(OneDisk node, BucketId bucket) {
    Calls calls = node.calls(bucket);
    assertThat(value(calls.get("inline-1"))).hasSize(100);
    assertThat(value(calls.get("inline-2"))).hasSize(100);
    assertThat(value(calls.get("large-1"))).hasSize(50_000);
    assertThat(value(calls.get("large-2"))).hasSize(50_000);
    assertThat(value(calls.versions("versioned", 10))).hasSize(2);
  }

  /** The entries of a bucket that cancel nothing. */
  private static int entries(OneDisk node, BucketId bucket) throws IOException {
    int count = 0;
    try (IndexCursor objects = node.store().index().objects(bucket, new byte[0]);
        IndexCursor uploads = node.store().index().uploads(bucket, new byte[0])) {
      for (IndexCursor cursor : List.of(objects, uploads)) {
        while (cursor.next()) {
          count += cursor.cancels() ? 0 : 1;
        }
      }
    }
    return count;
  }

  private static int extents(OneDisk node) throws IOException {
    int count = 0;
    for (int i = 0; i < 256; i++) {
      count += node.store().extents().list(i).size();
    }
    return count;
  }

  private static DeletedBuckets sweeper(OneDisk node, int entriesMax) {
    return new DeletedBuckets(node.store(), DELETED::equals, entriesMax);
  }

  @Test
  void deletedBucketLeavesNoEntryAndNoExtentAndOthersKeepTheirs() throws IOException {
    try (OneDisk node = new OneDisk(new LocalDisk(directory), OneDisk.SMALL)) {
      for (BucketId bucket : ALL) {
        fill(node, bucket);
      }
      assertThat(entries(node, DELETED)).isEqualTo(ENTRIES);
      assertThat(extents(node)).isEqualTo(4 * 3);

      assertThat(sweeper(node, 100).sweep()).isEqualTo(ENTRIES);

      assertThat(entries(node, DELETED)).isZero();
      assertThat(extents(node)).isEqualTo(3 * 3);
      requireOthersAreWhole(node);
      assertThat(sweeper(node, 100).sweep()).isZero();
    }
  }

  private static void requireOthersAreWhole(OneDisk node) throws IOException {
    for (BucketId bucket : ALL) {
      if (!bucket.equals(DELETED)) {
        requireWhole(node, bucket);
        assertThat(entries(node, bucket)).isEqualTo(ENTRIES);
      }
    }
  }

  @Test
  void stepRemovesNoMoreThanItsBoundAndAnotherLifeContinues() throws IOException {
    try (OneDisk node = new OneDisk(new LocalDisk(directory), OneDisk.SMALL)) {
      fill(node, DELETED);
      fill(node, KEPT_BEHIND);
      assertThat(sweeper(node, 3).sweep()).isEqualTo(3);
      assertThat(entries(node, DELETED)).isEqualTo(ENTRIES - 3);
    }
    try (OneDisk node = new OneDisk(new LocalDisk(directory), OneDisk.SMALL)) {
      assertThat(sweeper(node, 3).sweep()).isEqualTo(3);
      assertThat(sweeper(node, 3).sweep()).isEqualTo(1);
      assertThat(entries(node, DELETED)).isZero();
      requireWhole(node, KEPT_BEHIND);
    }
  }

  @Test
  void indexThatIsRebuiltBringsNothingBack() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(directory.resolve("index"));
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      fill(node, DELETED);
      fill(node, KEPT_BEHIND);
      sweeper(node, 100).sweep();
    }
    Files.move(directory.resolve("index"), directory.resolve("old-index"));
    try (OneDisk node = new OneDisk(disk.afterKill(), OneDisk.SMALL)) {
      assertThat(entries(node, DELETED)).isZero();
      assertThat(entries(node, KEPT_BEHIND)).isEqualTo(ENTRIES);
      requireWhole(node, KEPT_BEHIND);
    }
  }

  @Test
  void recordsOfADeletedBucketLeaveTheLog() throws IOException {
    try (OneDisk node = new OneDisk(new LocalDisk(directory), OneDisk.SMALL)) {
      for (int i = 0; i < 100; i++) {
        value(node.calls(DELETED).put("object-" + i, new byte[2000]));
      }
      sweeper(node, 1000).sweep();
      new Compactor(node.store()).compact(Integer.MAX_VALUE);
      new Tombstones(node.store()).forget();
      new Compactor(node.store()).compact(Integer.MAX_VALUE);
      assertThat(node.store().log().bytes()).isLessThan(64 << 10);
    }
  }

  @Test
  void failedSweepIsReportedAndRepeated() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(directory.resolve("index"));
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      fill(node, DELETED);
      DeletedBuckets sweeper = sweeper(node, 100);
      disk.failWith("Read-only file system", false);
      assertThatIOException().isThrownBy(sweeper::sweep);
      disk.failWith("", false);
      assertThat(sweeper.sweep()).isEqualTo(ENTRIES);
      assertThat(entries(node, DELETED)).isZero();
    }
  }

  @Test
  void reclaimerSweepsWhenTheControlStateIsNewer() throws Exception {
    CountDownLatch looks = new CountDownLatch(2);
    try (OneDisk node = new OneDisk(new LocalDisk(directory), OneDisk.SMALL)) {
      fill(node, DELETED);
      Upkeep upkeep = new Upkeep("test-upkeep", () -> false);
      Reclaimer.start(
          upkeep,
          node.store(),
          Clock.systemUTC(),
          DELETED::equals,
          () -> {
            looks.countDown();
            return 5;
          },
          bucket -> CacheShare.ANY);
      // At the second look at the version the first sweep has ended.
      looks.await();
      upkeep.close();
      assertThat(entries(node, DELETED)).isZero();
      assertThat(extents(node)).isZero();
    }
  }
}
