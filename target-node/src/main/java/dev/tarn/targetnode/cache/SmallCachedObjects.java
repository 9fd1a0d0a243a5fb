package dev.tarn.targetnode.cache;

import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.index.BucketUsage;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The room of small cached objects. They are in the log, from which nothing is evicted, so together
 * they get only a part of each disk. The index is asked for their bytes from time to time; in
 * between, what is added is counted.
 */
final class SmallCachedObjects {
  private static final Logger LOG = LoggerFactory.getLogger(SmallCachedObjects.class);
  private static final int PARTS_OF_DISK = 20;
  private static final long COUNT_EVERY_NANOS = 1_000_000_000;

  private final Predicate<BucketId> isCached;
  private final ConcurrentHashMap<DiskId, Count> counts = new ConcurrentHashMap<>();

  /** The bytes on a disk. */
  private static final class Count {
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong countedNanos = new AtomicLong(System.nanoTime() - COUNT_EVERY_NANOS);
  }

  /**
   * Small objects of these buckets.
   *
   * @param isCached whether a bucket has a backend
   */
  SmallCachedObjects(Predicate<BucketId> isCached) {
    this.isCached = isCached;
  }

  /** Whether another object of so many bytes may be kept on a disk; blocks. */
  boolean haveRoomFor(DiskStore disk, long bytes) {
    Count count = counts.computeIfAbsent(disk.id(), id -> new Count());
    long now = System.nanoTime();
    long counted = count.countedNanos.get();
    if (now - counted >= COUNT_EVERY_NANOS && count.countedNanos.compareAndSet(counted, now)) {
      count(disk, count);
    }
    if (count.bytes.get() + bytes > disk.room().totalBytes() / PARTS_OF_DISK
        || !disk.cacheRoom().isFreeForSmall(bytes)) {
      return false;
    }
    count.bytes.addAndGet(bytes);
    return true;
  }

  private void count(DiskStore disk, Count count) {
    try {
      long bytes = 0;
      for (Map.Entry<BucketId, BucketUsage> bucket : disk.index().usage().entrySet()) {
        bytes += isCached.test(bucket.getKey()) ? bucket.getValue().bytes() : 0;
      }
      count.bytes.set(bytes);
    } catch (IOException e) {
      LOG.warn("Small cached objects on {} could not be counted", disk.disk().description(), e);
    }
  }
}
