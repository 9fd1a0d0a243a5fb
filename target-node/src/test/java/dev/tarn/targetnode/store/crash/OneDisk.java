package dev.tarn.targetnode.store.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.targetnode.NodeCalls;
import dev.tarn.targetnode.ScrubReport;
import dev.tarn.targetnode.Scrubber;
import dev.tarn.targetnode.local.Calls;
import dev.tarn.targetnode.local.LocalTarget;
import dev.tarn.targetnode.local.NodeDisk;
import dev.tarn.targetnode.local.NodeDisks;
import dev.tarn.targetnode.membership.CallJudge;
import dev.tarn.targetnode.membership.FixedView;
import dev.tarn.targetnode.store.CacheSettings;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.StoreSettings;
import dev.tarn.targetnode.store.disk.Disk;
import dev.tarn.targetnode.store.index.BucketUsage;
import dev.tarn.targetnode.store.index.IndexCursor;
import dev.tarn.targetnode.store.log.LogSettings;
import dev.tarn.targetnode.store.memory.Chunks;
import dev.tarn.targetnode.store.read.ObjectReader;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.MalformedRecordException;
import dev.tarn.targetnode.store.space.Sweeper;
import dev.tarn.targetnode.store.write.BodyWriting;
import dev.tarn.transport.body.DirectBuffers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A target over one disk, real or simulated, without anything that runs by itself. */
final class OneDisk implements AutoCloseable {
  /** Small measures, so that little data makes many segments and extents. */
  static final StoreSettings SMALL =
      new StoreSettings(
          new LogSettings(64 << 10, 64 << 10, 8),
          4 << 10,
          8 << 20,
          8,
          1000,
          40,
          0,
          0.15,
          3,
          1000L * 3600,
          CacheSettings.DEFAULT);

  /** The same with a reserve. */
  static StoreSettings reserving(long bytes) {
    return new StoreSettings(
        SMALL.log(),
        SMALL.inlineBytesMax(),
        SMALL.indexCacheBytes(),
        SMALL.openExtentsMax(),
        SMALL.pendingCommitsMax(),
        SMALL.checkpointRecords(),
        bytes,
        SMALL.deadRatioMax(),
        SMALL.ioErrorsMax(),
        SMALL.uploadAgeMsMax(),
        SMALL.cache());
  }

  private final ExecutorService workers = Executors.newFixedThreadPool(4);
  private final DiskStore store;
  private final NodeCalls target;
  private final Map<BucketId, Versioning> versioning = new ConcurrentHashMap<>();
  private volatile BucketSettings.Durability durability;

  OneDisk(Disk disk, StoreSettings settings) throws IOException {
    this(disk, settings, BucketSettings.Durability.FSYNC);
  }

  OneDisk(Disk disk, StoreSettings settings, BucketSettings.Durability durability)
      throws IOException {
    this(disk, settings, durability, Clock.systemUTC());
  }

  OneDisk(Disk disk, StoreSettings settings, BucketSettings.Durability durability, Clock clock)
      throws IOException {
    this.durability = durability;
    store = DiskStore.open(disk, settings, clock, () -> 0);
    BodyWriting writing = new BodyWriting(new Chunks(8), workers);
    ObjectReader reader = new ObjectReader(new DirectBuffers(1 << 20), workers);
    CallJudge judge =
        new CallJudge(
            new FixedView(0, 0, bucket -> FixedView.bucket(bucket, settings(), of(bucket), 0)));
    NodeDisks disks = new NodeDisks(List.of(new NodeDisk.Opened(store)), judge.view());
    LocalTarget local = new LocalTarget(judge, disks, reader, writing, 1000);
    target = new NodeCalls(judge, local, local, new SimpleMeterRegistry());
  }

  private Versioning of(BucketId bucket) {
    return versioning.getOrDefault(bucket, Versioning.OFF);
  }

  /** Sets what a bucket does with earlier versions from now on. */
  void setVersioning(BucketId bucket, Versioning next) {
    versioning.put(bucket, next);
  }

  private BucketSettings settings() {
    return BucketSettings.PRIMARY.with(durability).with(BucketSettings.Verify.ALWAYS);
  }

  /** Sets what writes from now on have to survive. */
  void switchTo(BucketSettings.Durability next) {
    durability = next;
  }

  DiskStore store() {
    return store;
  }

  /** Calls of a bucket without versions. */
  Calls calls() {
    return calls(new BucketId(1));
  }

  Calls calls(BucketId bucket) {
    return new Calls(target, bucket);
  }

  /** Lets go of everything as a crash would: nothing more is made durable. */
  void crash() throws IOException {
    store.health().takeOut("crash of a test");
    close();
  }

  @Override
  public void close() throws IOException {
    workers.close();
    assertThat(store.index().usage()).isEqualTo(scannedUsage());
    store.close();
  }

  /** Counted from the entries; what the index says if a test wrote entries of a newer release. */
  private Map<BucketId, BucketUsage> scannedUsage() throws IOException {
    Map<BucketId, BucketUsage> usage = new HashMap<>();
    try (IndexCursor entries = store.index().allObjects()) {
      while (entries.next()) {
        if (entries.entry().entry() instanceof LogEntry.ObjectStored stored
            && !stored.object().metadata().deleteMarker()) {
          BucketUsage one = new BucketUsage(1, stored.object().storedBytes());
          usage.merge(entries.bucket(), one, BucketUsage::plus);
        }
      }
    } catch (MalformedRecordException _) {
      return store.index().usage();
    }
    return usage;
  }

  /** Sweeps all folders of extents and returns how many were removed. */
  int sweepExtents() throws IOException {
    Sweeper sweeper = new Sweeper(store(), Clock.systemUTC());
    int removed = 0;
    for (int directory = 0; directory < 256; directory++) {
      removed += sweeper.sweepExtents(directory);
    }
    return removed;
  }

  /** Verifies all objects. */
  ScrubReport scrub() throws IOException {
    try (Scrubber scrubber = new Scrubber(store(), Long.MAX_VALUE, () -> false)) {
      boolean more = true;
      while (more) {
        more = scrubber.next();
      }
      return scrubber.report();
    }
  }
}
