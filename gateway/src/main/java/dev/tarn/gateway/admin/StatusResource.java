package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.wire.TargetReport;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** The state of this process and of the cluster. */
record StatusResource(
    Commands commands, String version, long startedMs, Supplier<NodeStatus> status) {
  private static final int MS_PER_SECOND = 1000;

  /** The greatest number of buckets whose usage is shown: those with the most bytes. */
  private static final int BUCKETS_MAX = 1000;

  StatusResource {
    requireNonNull(commands, "commands is null");
    requireNonNull(version, "version is null");
    requireNonNull(status, "status is null");
  }

  AdminAnswer show(AdminCall call) {
    NodeStatus now = status.get();
    ControlState state = commands.state();
    JsonArray targets = new JsonArray();
    now.targets().forEach(target -> targets.add(document(state, target)));
    String control = commands.reachability();
    return AdminAnswer.ok(
        Health.of(state, now, control, commands.nowMs())
            .writeTo(new JsonObject())
            .put("version", version)
            .put("role", now.role())
            .put("uptime_s", (commands.nowMs() - startedMs) / MS_PER_SECOND)
            .put("control", control)
            .put("control_version", state.version())
            .put("map_epoch", now.mapEpoch())
            .put("targets", targets)
            .put("stored", stored(state, now.targets()))
            .put("buckets", state.buckets().size())
            .put("users", state.users().size()));
  }

  /** The content of all targets: the sum of their reports, and the buckets with the most bytes. */
  private static JsonObject stored(ControlState state, List<NodeStatus.Target> targets) {
    List<TargetReport.Stored> reports =
        targets.stream().flatMap(target -> target.stored().stream()).toList();
    Map<BucketId, TargetReport.Usage> usage = new HashMap<>();
    state
        .buckets()
        .forEach(bucket -> usage.put(bucket.id(), new TargetReport.Usage(bucket.id(), 0, 0)));
    reports.stream()
        .flatMap(report -> report.buckets().stream())
        .forEach(held -> usage.computeIfPresent(held.bucket(), (id, sum) -> sum.plus(held)));
    JsonArray largest = new JsonArray();
    usage.values().stream()
        .sorted(
            Comparator.comparingLong(TargetReport.Usage::bytes)
                .reversed()
                .thenComparing(TargetReport.Usage::bucket))
        .limit(BUCKETS_MAX)
        .forEach(held -> largest.add(document(state, held)));
    JsonArray missing = new JsonArray();
    targets.stream()
        .filter(target -> target.stored().isEmpty())
        .forEach(target -> missing.add(target.id()));
    return new JsonObject()
        .put("objects", sum(reports, TargetReport.Stored::objects))
        .put("bytes", sum(reports, TargetReport.Stored::bytes))
        .put("cache_hits", sum(reports, TargetReport.Stored::cacheHits))
        .put("cache_misses", sum(reports, TargetReport.Stored::cacheMisses))
        .put("cache_passed_for_room", sum(reports, TargetReport.Stored::cachePassed))
        .put(
            "cache_passed_for_room_last_ms",
            reports.stream().mapToLong(TargetReport.Stored::cachePassedLastMs).max().orElse(0))
        .put("buckets", largest)
        .put("missing_targets", missing);
  }

  private static long sum(
      List<TargetReport.Stored> reports, ToLongFunction<TargetReport.Stored> figure) {
    return reports.stream().mapToLong(figure).sum();
  }

  private static JsonObject document(ControlState state, TargetReport.Usage held) {
    Bucket bucket = requireNonNull(state.bucket(held.bucket()), "the state lists the bucket");
    boolean isCached = bucket.settings().backend().isPresent();
    JsonObject document =
        new JsonObject()
            .put("name", bucket.name())
            .put("objects", held.objects())
            .put("bytes", held.bytes())
            .put("cached", isCached);
    return isCached ? document.put("cache", UsageJson.cache(held)) : document;
  }

  private static JsonObject document(ControlState state, NodeStatus.Target target) {
    JsonArray disks = new JsonArray();
    target.disks().forEach(disk -> disks.add(document(state, disk)));
    return new JsonObject()
        .put("id", target.id())
        .put("address", target.address())
        .put("state", target.state())
        .put("disks", disks);
  }

  private static JsonObject document(ControlState state, NodeStatus.Disk disk) {
    JsonArray cached = new JsonArray();
    for (TargetReport.CachedBucket held : disk.cached()) {
      Bucket bucket = state.bucket(held.bucket());
      if (bucket != null) {
        cached.add(new JsonObject().put("bucket", bucket.name()).put("bytes", held.bytes()));
      }
    }
    return new JsonObject()
        .put("id", disk.id())
        .put("folder", disk.folder())
        .put("state", disk.state())
        .put("capacity_bytes", disk.capacityBytes())
        .put("free_bytes", disk.freeBytes())
        .put("primary_bytes", disk.use().primaryBytes())
        .put("cached_bytes", disk.use().cachedBytes())
        .put("evicted_for_room_bytes", disk.use().evictedForRoomBytes())
        .put("evicted_for_better_bytes", disk.use().evictedForBetterBytes())
        .put("cache_refused", disk.use().refused())
        .put("evicted_for_shares_bytes", disk.use().evictedForSharesBytes())
        .put("cache_wanted_again", disk.use().wantedAgain())
        .put("cached", cached);
  }
}
