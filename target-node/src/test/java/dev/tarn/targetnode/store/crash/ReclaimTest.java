package dev.tarn.targetnode.store.crash;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.store.disk.LocalDisk;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import dev.tarn.targetnode.store.index.IndexCursor;
import dev.tarn.targetnode.store.index.Lookup;
import dev.tarn.targetnode.store.space.Compactor;
import dev.tarn.targetnode.store.space.Sweeper;
import dev.tarn.targetnode.store.space.Tombstones;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReclaimTest {
  private static final int OBJECTS = 600;
  private static final int OBJECT_BYTES = 4000;
  @TempDir private Path directory;

  @Test
  void tenRoundsOfOverwritingLeaveLittleMoreThanOne() throws IOException {
    try (OneDisk node = new OneDisk(new LocalDisk(directory), OneDisk.SMALL)) {
      Random random = new Random(7);
      Compactor compactor = new Compactor(node.store());
      byte[] bytes = new byte[OBJECT_BYTES];
      for (int write = 0; write < 10 * OBJECTS; write++) {
        random.nextBytes(bytes);
        int object = write < OBJECTS ? write : random.nextInt(OBJECTS);
        value(node.calls().put("object-" + object, bytes));
        if (write % 50 == 0) {
          compactor.compact(Integer.MAX_VALUE);
        }
      }
      compactor.compact(Integer.MAX_VALUE);
      assertThat(node.store().log().bytes()).isLessThan((long) (1.3 * OBJECTS * OBJECT_BYTES));
      assertThat(node.calls().list("", "", 1000)).hasSize(OBJECTS);
    }
  }

  @Test
  void whatAnEmptiedBucketHeldIsGoneFromLogAndIndex() throws IOException {
    try (OneDisk node = new OneDisk(new LocalDisk(directory), OneDisk.SMALL)) {
      for (int i = 0; i < 100; i++) {
        value(node.calls().put("object-" + i, new byte[2000]));
      }
      for (int i = 0; i < 100; i++) {
        value(node.calls().delete("object-" + i));
      }
      new Compactor(node.store()).compact(Integer.MAX_VALUE);
      new Tombstones(node.store()).forget();
      assertThat(entries(node)).isZero();
      new Compactor(node.store()).compact(Integer.MAX_VALUE);
      assertThat(node.store().log().bytes()).isLessThan(64 << 10);
    }
    try (OneDisk node = new OneDisk(new LocalDisk(directory), OneDisk.SMALL)) {
      assertThat(node.calls().list("", "", 1000)).isEmpty();
    }
  }

  @Test
  void theSearchForTombstonesLeavesTheCacheToOthers() throws IOException {
    try (OneDisk node = new OneDisk(new LocalDisk(directory), OneDisk.SMALL)) {
      for (int i = 0; i < OBJECTS; i++) {
        value(node.calls().put("object-" + i, new byte[10]));
      }
    }
    try (OneDisk node = new OneDisk(new LocalDisk(directory), OneDisk.SMALL)) {
      ObjectName name = new ObjectName(new BucketId(1), ObjectKey.of("object-300"));
      assertThat(node.store().index().findNow(name)).isInstanceOf(Lookup.WouldWait.class);
      new Tombstones(node.store()).forget();
      assertThat(node.store().index().findNow(name)).isInstanceOf(Lookup.WouldWait.class);
    }
  }

  @Test
  void theSegmentBeingWrittenIsFreedOfItsDeadToo() throws IOException {
    try (OneDisk node = new OneDisk(new LocalDisk(directory), OneDisk.SMALL)) {
      for (int i = 0; i < 14; i++) {
        value(node.calls().put("overwritten", new byte[4000]));
      }
      assertThat(new Compactor(node.store()).compact(Integer.MAX_VALUE)).isPositive();
      assertThat(node.store().log().bytes()).isLessThan(10_000);
      assertThat(value(node.calls().get("overwritten"))).hasSize(4000);
    }
  }

  @Test
  void damagedRecordIsNotMovedAndItsSegmentStays() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(directory.resolve("disk"));
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      value(node.calls().put("damaged", new byte[1000]));
      value(node.calls().put("sound", new byte[1000]));
      for (int i = 0; i < 14; i++) {
        value(node.calls().put("overwritten", new byte[4000]));
      }
      String segment = disk.files("log/").getFirst();
      disk.corrupt(segment, 64 + 600);

      new Compactor(node.store()).compact(Integer.MAX_VALUE);

      assertThat(disk.files("log/")).contains(segment).hasSizeGreaterThan(1);
      assertThat(node.calls().get("damaged"))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> assertThat(failed.failure()).isInstanceOf(Failure.Corrupt.class));
      assertThat(value(node.calls().get("sound"))).hasSize(1000);
    }
  }

  private static int entries(OneDisk node) throws IOException {
    int count = 0;
    try (IndexCursor cursor = node.store().index().allObjects()) {
      while (cursor.next()) {
        count++;
      }
    }
    return count;
  }

  @Test
  void overwrittenAndAbandonedExtentsAreGone() throws IOException {
    try (OneDisk node = new OneDisk(new LocalDisk(directory), OneDisk.SMALL)) {
      for (int round = 0; round < 10; round++) {
        value(node.calls().put("large", new byte[50_000]));
      }
      node.store().createExtent().write(java.nio.ByteBuffer.allocate(100));
      assertThat(extents(node)).isEqualTo(2);
    }
    try (OneDisk node = new OneDisk(new LocalDisk(directory), OneDisk.SMALL)) {
      assertThat(node.sweepExtents()).isEqualTo(1);
      assertThat(extents(node)).isEqualTo(1);
    }
  }

  @Test
  void uploadThatTheDiskDoesNotAbortIsNotCountedAsRemoved() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(directory.resolve("disk"));
    Clock tomorrow = Clock.offset(Clock.systemUTC(), Duration.ofDays(1));
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      value(node.calls().create("open"));
      Sweeper sweeper = new Sweeper(node.store(), tomorrow);

      disk.failWith("Read-only file system", false);
      assertThat(sweeper.sweepUploads()).isZero();
      disk.failWith("", false);
      assertThat(sweeper.sweepUploads()).isEqualTo(1);
    }
  }

  private static int extents(OneDisk node) throws IOException {
    int count = 0;
    for (int i = 0; i < 256; i++) {
      count += node.store().extents().list(i).size();
    }
    return count;
  }
}
