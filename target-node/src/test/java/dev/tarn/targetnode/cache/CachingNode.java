package dev.tarn.targetnode.cache;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.targetnode.NodeCalls;
import dev.tarn.targetnode.ScrubReport;
import dev.tarn.targetnode.Scrubber;
import dev.tarn.targetnode.backend.Backends;
import dev.tarn.targetnode.local.Calls;
import dev.tarn.targetnode.local.LocalTarget;
import dev.tarn.targetnode.local.NodeDisk;
import dev.tarn.targetnode.local.NodeDisks;
import dev.tarn.targetnode.membership.CallJudge;
import dev.tarn.targetnode.membership.FixedView;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.StoreSettings;
import dev.tarn.targetnode.store.disk.Disk;
import dev.tarn.targetnode.store.memory.Chunks;
import dev.tarn.targetnode.store.read.ObjectReader;
import dev.tarn.targetnode.store.residents.Ticks;
import dev.tarn.targetnode.store.write.BodyWriting;
import dev.tarn.transport.body.DirectBuffers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/** A target over one disk, which may be a simulated one: with cached buckets and a primary one. */
final class CachingNode implements AutoCloseable {
  private static final BucketId PRIMARY_BUCKET = new BucketId(2);

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger tasks = new AtomicInteger();
  private final CacheMeters meters = new CacheMeters(new SimpleMeterRegistry());
  private final DiskStore store;
  private final Calls calls;

  CachingNode(Disk disk, StoreSettings settings, Backends backends, BucketSettings bucketSettings)
      throws IOException {
    this(disk, settings, backends, bucketSettings, InstantSource.system(), Ticks.ofProcess());
  }

  CachingNode(
      Disk disk,
      StoreSettings settings,
      Backends backends,
      BucketSettings bucketSettings,
      InstantSource time,
      IntSupplier ticks)
      throws IOException {
    Clock clock = time.withZone(ZoneOffset.UTC);
    store = DiskStore.open(disk, settings, clock, ticks, () -> 0);
    CallJudge judge =
        new CallJudge(
            new FixedView(
                0,
                0,
                bucket ->
                    FixedView.bucket(
                        bucket,
                        bucket.equals(PRIMARY_BUCKET) ? BucketSettings.PRIMARY : bucketSettings,
                        Versioning.OFF,
                        0)));
    NodeDisks disks = new NodeDisks(List.of(new NodeDisk.Opened(store)), judge.view());
    ObjectReader reader = new ObjectReader(new DirectBuffers(1 << 20), threads);
    BodyWriting writing = new BodyWriting(new Chunks(8), threads);
    LocalTarget local = new LocalTarget(judge, disks, reader, writing, 20_000);
    CachingTarget caching =
        new CachingTarget(
            judge, local.reads(), backends, disks, meters, reader.buffers(), clock, this::execute);
    calls =
        new Calls(new NodeCalls(judge, local, caching, new SimpleMeterRegistry()), new BucketId(1));
  }

  DiskStore store() {
    return store;
  }

  Calls calls() {
    return calls;
  }

  /** Calls of the bucket that has no backend. */
  Calls primary() {
    return new Calls(calls.target(), PRIMARY_BUCKET);
  }

  CacheMeters cacheMeters() {
    return meters;
  }

  private void execute(Runnable task) {
    tasks.incrementAndGet();
    threads.execute(() -> {
      try {
        task.run();
      } finally {
        tasks.decrementAndGet();
      }
    });
  }

  /** Waits until no more than so many readers and fetches are under way. */
  void awaitTasks(int most) {
    while (tasks.get() > most) {
      Thread.onSpinWait();
    }
  }

  /** Waits until no fetch is under way: a reader may have its last bytes before. */
  void awaitFetches() {
    while (store.room().promisedBytes() > 0) {
      Thread.onSpinWait();
    }
  }

  /** Verifies everything that the disk has. */
  ScrubReport scrub() throws IOException {
    try (Scrubber scrubber = new Scrubber(store, Long.MAX_VALUE, () -> false)) {
      boolean more = true;
      while (more) {
        more = scrubber.next();
      }
      return scrubber.report();
    }
  }

  /** Makes nothing more durable. */
  void crash() {
    store.health().takeOut("crash of a test");
  }

  @Override
  public void close() throws IOException {
    threads.close();
    store.close();
  }
}
