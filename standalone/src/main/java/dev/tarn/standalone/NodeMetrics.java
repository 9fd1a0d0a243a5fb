package dev.tarn.standalone;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.target.TrafficClass;
import dev.tarn.targetnode.DiskStatus;
import dev.tarn.targetnode.NodeCalls;
import dev.tarn.targetnode.TargetNode;
import dev.tarn.targetnode.cache.CacheFigures;
import dev.tarn.targetnode.lifecycle.LifecycleFigures;
import dev.tarn.targetnode.store.StoreFigures;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metrics of the disks' stores, the lifecycle and the cache. The disks' figures are read once per
 * scrape, not once per meter.
 */
final class NodeMetrics {
  private static final Logger LOG = LoggerFactory.getLogger(NodeMetrics.class);
  private static final String BYTES = "bytes";

  private final TargetNode node;
  private final MeterRegistry registry;
  private volatile Map<DiskId, DiskStatus> disks = Map.of();

  NodeMetrics(TargetNode node, LifecycleFigures lifecycle, MeterRegistry registry)
      throws IOException {
    this.node = requireNonNull(node, "node is null");
    this.registry = requireNonNull(registry, "registry is null");
    disks = read();
    disks.keySet().forEach(this::registerDisk);
    registerCalls(node.target());
    registerCache(node.cacheFigures());
    registerLifecycle(lifecycle);
  }

  private void registerCalls(NodeCalls calls) {
    for (TrafficClass traffic : TrafficClass.values()) {
      FunctionCounter.builder("tarn.target.calls", calls, counted -> counted.count(traffic))
          .description("Calls to this target, from gateways and its own upkeep")
          .tag("traffic", traffic.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
    FunctionCounter.builder("tarn.target.calls.late", calls, NodeCalls::lateCount)
        .description("Calls refused because their deadline had passed")
        .register(registry);
  }

  private Map<DiskId, DiskStatus> read() throws IOException {
    return node.status().stream().collect(Collectors.toMap(DiskStatus::id, Function.identity()));
  }

  /** Reads the disks' figures again; keeps the last ones if that fails. */
  void refresh() {
    try {
      disks = read();
    } catch (IOException e) {
      LOG.warn("reading the status of the disks failed; metrics show the last values", e);
    }
  }

  private void registerDisk(DiskId disk) {
    Gauge.builder("tarn.store.in.service", () -> isInService(disk) ? 1 : 0)
        .description("1 while the disk serves, 0 when it was taken out of service")
        .tag("disk", disk.value())
        .register(registry);
    gauge(disk, "disk.total", BYTES, "Size of the disk", StoreFigures::totalBytes);
    gauge(disk, "disk.usable", BYTES, "What can still be written", StoreFigures::freeBytes);
    gauge(disk, "log.segments", "segments", "Segments of the log", StoreFigures::segments);
    gauge(disk, "log.size", BYTES, "All segments of the log", StoreFigures::logBytes);
    gauge(disk, "log.live", BYTES, "Records still valid", StoreFigures::liveLogBytes);
    gauge(disk, "index.entries", "entries", "About how many", StoreFigures::indexEntries);
    counter(disk, "commits", "Records written to the log", StoreFigures::commits);
    counter(disk, "commit.batches", "Writes that carried them", StoreFigures::commitBatches);
    counter(disk, "io.errors", "Failed reads and writes", StoreFigures::ioErrors);
    held(disk, "primary", "Objects that are nowhere else", DiskStatus.Held::primaryBytes);
    held(disk, "cached", "Objects that a backend has, too", DiskStatus.Held::cachedBytes);
    gauge(
        disk,
        "promised",
        BYTES,
        "What writes under way may still take",
        figures -> figures.cached().promisedBytes());
    gauge(
        disk,
        "leaving",
        BYTES,
        "Evicted units that readers still use",
        figures -> figures.cached().leavingBytes());
    counter(
        disk,
        "evicted.for.room.bytes",
        "Cached bytes that left for primary ones",
        figures -> figures.cached().evictedForRoomBytes());
    counter(
        disk,
        "evicted.for.better.bytes",
        "Cached bytes that left for others of a greater value",
        figures -> figures.cached().evictedForBetterBytes());
    counter(
        disk,
        "cache.refused",
        "Units read and not kept, since none on the disk had less value",
        figures -> figures.cached().refused());
    counter(
        disk,
        "cache.wanted.again",
        "Reads of units that had left the cache",
        figures -> figures.cached().wantedAgain());
  }

  private void held(
      DiskId disk, String name, String description, ToDoubleFunction<DiskStatus.Held> held) {
    Gauge.builder("tarn.store." + name, () -> held(disk, held))
        .baseUnit(BYTES)
        .description(description)
        .tag("disk", disk.value())
        .register(registry);
  }

  private double held(DiskId disk, ToDoubleFunction<DiskStatus.Held> held) {
    DiskStatus status = disks.get(disk);
    return status == null ? Double.NaN : held.applyAsDouble(status.held());
  }

  private boolean isInService(DiskId disk) {
    DiskStatus status = disks.get(disk);
    return status != null && status.outOfService().isEmpty();
  }

  private double figure(DiskId disk, ToDoubleFunction<StoreFigures> figure) {
    DiskStatus status = disks.get(disk);
    return status == null
        ? Double.NaN
        : status.figures().map(figures -> figure.applyAsDouble(figures)).orElse(Double.NaN);
  }

  private void gauge(
      DiskId disk,
      String name,
      String unit,
      String description,
      ToDoubleFunction<StoreFigures> figure) {
    Gauge.builder("tarn.store." + name, () -> figure(disk, figure))
        .baseUnit(unit)
        .description(description)
        .tag("disk", disk.value())
        .register(registry);
  }

  private void counter(
      DiskId disk, String name, String description, ToDoubleFunction<StoreFigures> figure) {
    FunctionCounter.builder("tarn.store." + name, this, metrics -> metrics.figure(disk, figure))
        .description(description)
        .tag("disk", disk.value())
        .register(registry);
  }

  private void registerLifecycle(LifecycleFigures lifecycle) {
    counter(lifecycle, "rounds", "Rounds that were carried out", LifecycleFigures::rounds);
    counter(lifecycle, "objects.expired", "Objects deleted", LifecycleFigures::objectsExpired);
    counter(
        lifecycle,
        "versions.removed",
        "Noncurrent versions removed",
        LifecycleFigures::versionsRemoved);
    counter(
        lifecycle,
        "markers.removed",
        "Delete markers removed that hid nothing",
        LifecycleFigures::markersRemoved);
    counter(lifecycle, "uploads.aborted", "Uploads given up", LifecycleFigures::uploadsAborted);
    counter(lifecycle, "failures", "Calls and walks that failed", LifecycleFigures::failures);
  }

  private void counter(
      LifecycleFigures lifecycle,
      String name,
      String description,
      ToDoubleFunction<LifecycleFigures> figure) {
    FunctionCounter.builder("tarn.lifecycle." + name, lifecycle, figure)
        .description(description)
        .register(registry);
  }

  private void registerCache(CacheFigures cache) {
    counter(cache, "hits", "Reads whose bytes were all here", CacheFigures::hits);
    counter(cache, "misses", "Reads that needed the backend's bytes", CacheFigures::misses);
    counter(
        cache, "revalidations", "Questions whether an object changed", CacheFigures::revalidations);
    counter(cache, "units.fetched", "Units stored", CacheFigures::unitsFetched);
    counter(cache, "fetched.bytes", "Bytes read from backends", CacheFigures::bytesFetched);
    counter(cache, "hit.bytes", "Bytes served from the disk", CacheFigures::bytesHit);
    counter(
        cache, "units.passed", "Units passed without being stored", CacheFigures::passedThrough);
    counter(
        cache,
        "passed.for.room",
        "Units and small objects not stored, because the disk had no room",
        CacheFigures::passedForRoom);
    counter(cache, "served.stale", "Reads without asking the backend", CacheFigures::servedStale);
  }

  private void counter(
      CacheFigures cache, String name, String description, ToDoubleFunction<CacheFigures> figure) {
    FunctionCounter.builder("tarn.cache." + name, cache, figure)
        .description(description)
        .register(registry);
  }
}
