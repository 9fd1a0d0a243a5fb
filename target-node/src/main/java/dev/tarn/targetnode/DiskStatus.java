package dev.tarn.targetnode;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.wire.TargetReport;
import dev.tarn.targetnode.local.NodeDisk;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.index.BucketUsage;
import dev.tarn.targetnode.store.residents.Leaving;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * The status of a disk, in reports and meters. {@link #measure} reads what the file system and the
 * index know; meters show the last measurement.
 */
final class DiskStatus {
  private static final String IN_SERVICE = "in service";
  private static final String FULL = "full";
  private static final String BYTES = "bytes";

  private final NodeDisk disk;
  private final Predicate<BucketId> isCached;
  private volatile Content content = Content.UNKNOWN;

  /**
   * The content of a disk.
   *
   * @param entries of the index, about
   * @param primaryBytes of objects that are nowhere else
   * @param cachedBytes that objects take that a backend has, too
   */
  private record Content(long entries, long primaryBytes, long cachedBytes) {
    static final Content UNKNOWN = new Content(0, 0, 0);
  }

  /**
   * Registers the meters.
   *
   * @param isCached whether a bucket has a backend
   */
  DiskStatus(NodeDisk disk, Predicate<BucketId> isCached, MeterRegistry registry) {
    this.disk = requireNonNull(disk, "disk is null");
    this.isCached = requireNonNull(isCached, "isCached is null");
    Gauge.builder("tarn.store.in.service", () -> disk.refusal().isEmpty() ? 1 : 0)
        .description("1 while the disk serves, 0 when it was taken out of service")
        .tag("disk", disk.id().value())
        .register(registry);
    if (disk instanceof NodeDisk.Opened opened) {
      new Meters(opened.store(), registry).register();
    }
  }

  /** Registers meters of an open disk. */
  private final class Meters {
    private final DiskStore store;
    private final MeterRegistry registry;

    Meters(DiskStore store, MeterRegistry registry) {
      this.store = store;
      this.registry = registry;
    }

    void register() {
      gauge("disk.total", BYTES, "Size of the disk", disk -> disk.room().totalBytes());
      gauge("disk.usable", BYTES, "What can still be written", DiskStatus::freeBytes);
      gauge(
          "log.segments", "segments", "Segments of the log", disk -> disk.log().segments().size());
      gauge("log.size", BYTES, "All segments of the log", disk -> disk.log().bytes());
      gauge("log.live", BYTES, "Records still valid", disk -> disk.log().liveBytes());
      gauge("index.entries", "entries", "About how many", disk -> content.entries());
      gauge("primary", BYTES, "Objects that are nowhere else", disk -> content.primaryBytes());
      gauge("cached", BYTES, "Objects that a backend has, too", disk -> content.cachedBytes());
      gauge(
          "promised",
          BYTES,
          "What writes under way may still take",
          disk -> disk.room().promisedBytes());
      gauge(
          "leaving",
          BYTES,
          "Evicted bytes that readers still use, or that compaction is about to free",
          disk -> disk.room().leavingBytes());
      counter("commits", "Records written to the log", DiskStore::commits);
      counter("commit.batches", "Writes that carried them", DiskStore::commitBatches);
      counter("io.errors", "Failed reads and writes", disk -> disk.health().ioErrors());
      counter(
          "evicted.for.room.bytes",
          "Cached bytes that left for primary ones",
          disk -> disk.left().of(Leaving.FOR_ROOM));
      counter(
          "evicted.for.better.bytes",
          "Cached bytes that left for others of a greater value",
          disk -> disk.left().of(Leaving.FOR_BETTER));
      counter(
          "evicted.for.shares.bytes",
          "Cached bytes that left because their bucket had too many, or was deleted",
          disk -> disk.left().of(Leaving.FOR_SHARES));
      counter(
          "cache.dropped.bytes",
          "Cached bytes that left because they were changed, deleted, damaged or evicted by hand",
          disk -> disk.left().of(Leaving.DROPPED));
      counter(
          "cache.unread.bytes",
          "Cached bytes that left, and had been asked for only once",
          disk -> disk.left().unread());
      counter(
          "cache.refused",
          "Units and small objects read and not kept, since nothing on the disk had less value",
          disk -> disk.residents().refused());
      counter(
          "cache.wanted.again",
          "Reads of units and small objects that had left the cache",
          disk -> disk.residents().wantedAgain());
    }

    private void gauge(
        String name, String unit, String description, ToDoubleFunction<DiskStore> value) {
      Gauge.builder("tarn.store." + name, store, value)
          .baseUnit(unit)
          .description(description)
          .tag("disk", store.id().value())
          .register(registry);
    }

    private void counter(String name, String description, ToDoubleFunction<DiskStore> value) {
      FunctionCounter.builder("tarn.store." + name, store, value)
          .description(description)
          .tag("disk", store.id().value())
          .register(registry);
    }
  }

  private static long freeBytes(DiskStore store) {
    return Math.max(0, store.room().freeBytes());
  }

  /** Measures an open disk. */
  void measure() throws IOException {
    if (!(disk instanceof NodeDisk.Opened opened)) {
      return;
    }
    DiskStore store = opened.store();
    store.measure();
    if (disk.refusal().isPresent()) {
      content = Content.UNKNOWN;
      return;
    }
    long primaryBytes = 0;
    for (Map.Entry<BucketId, BucketUsage> bucket : store.index().usage().entrySet()) {
      primaryBytes += isCached.test(bucket.getKey()) ? 0 : bucket.getValue().bytes();
    }
    content =
        new Content(store.index().estimatedEntries(), primaryBytes, store.room().cachedBytes());
  }

  /** The status as last measured. */
  TargetReport.Disk report() {
    return switch (disk) {
      case NodeDisk.Failed failed ->
          new TargetReport.Disk(
              failed.id().value(), failed.reason(), 0, 0, TargetReport.DiskUse.UNKNOWN, List.of());
      case NodeDisk.Opened opened -> report(opened.store());
    };
  }

  private TargetReport.Disk report(DiskStore store) {
    Content held = content;
    return new TargetReport.Disk(
        store.id().value(),
        store.health().outOfService().orElse(store.room().primaryBytes() <= 0 ? FULL : IN_SERVICE),
        store.room().totalBytes(),
        freeBytes(store),
        new TargetReport.DiskUse(
            held.primaryBytes(),
            held.cachedBytes(),
            store.left().of(Leaving.FOR_ROOM),
            store.left().of(Leaving.FOR_BETTER),
            store.residents().refused(),
            store.residents().wantedAgain(),
            store.left().of(Leaving.FOR_SHARES)),
        largest(store.residents().bytesOfBuckets()));
  }

  /** What the cache has of the buckets of which it has most. */
  private static List<TargetReport.CachedBucket> largest(Map<BucketId, Long> bytes) {
    return bytes.entrySet().stream()
        .map(entry -> new TargetReport.CachedBucket(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparingLong(TargetReport.CachedBucket::bytes).reversed())
        .limit(TargetReport.CACHED_BUCKETS_MAX)
        .toList();
  }
}
