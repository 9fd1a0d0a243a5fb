package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.wire.TargetReport.Traffic;
import dev.tarn.cluster.wire.TrafficHistory;
import dev.tarn.gateway.profile.Bins;
import dev.tarn.gateway.profile.ClusterProfile;
import dev.tarn.gateway.profile.IoProfile;
import dev.tarn.gateway.profile.LoadReport;
import dev.tarn.gateway.profile.LoadTotals;
import dev.tarn.gateway.profile.RequestKind;
import dev.tarn.gateway.profile.TargetsTraffic;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code /profile}: the load of all gateways over the last day, of all requests or of a bucket, and
 * what the targets read of cached buckets.
 */
final class ProfileResource {
  private final Commands commands;
  private final ClusterProfile profile;
  private final OtherGateways otherGateways;

  ProfileResource(Commands commands, ClusterProfile profile, OtherGateways otherGateways) {
    this.commands = requireNonNull(commands, "commands is null");
    this.profile = requireNonNull(profile, "profile is null");
    this.otherGateways = requireNonNull(otherGateways, "otherGateways is null");
  }

  AdminAnswer show(AdminCall call) {
    return of(call, Optional.empty());
  }

  AdminAnswer showBucket(AdminCall call) {
    return of(call, Optional.of(commands.bucket(call.name())));
  }

  private AdminAnswer of(AdminCall call, Optional<Bucket> bucket) {
    call.fields().allow();
    IoProfile own = profile.own();
    LoadTotals totals = own.totals(bucket.map(Bucket::name));
    if (call.request().headers().contains(OtherGateways.OWN_HEADER)) {
      return AdminAnswer.ok(totals.document().put(OtherGateways.PROCESS_FIELD, own.id()));
    }
    CompletableFuture<TargetsTraffic> asked = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("cached-reads")
        .start(() -> {
          try {
            asked.complete(profile.cached().apply(bucket.map(Bucket::id)));
          } catch (RuntimeException e) {
            asked.completeExceptionally(e);
          }
        });
    OtherGateways.Answers all = otherGateways.added(totals, own.id(), call.request());
    TargetsTraffic cached = asked.join();
    return AdminAnswer.ok(
        document(all.totals().report(), cached.history())
            .put("gateways", all.gateways())
            .put("silent_gateways", new JsonArray(all.silent()))
            .put("silent_targets", new JsonArray(cached.silentTargets())));
  }

  private static JsonObject document(LoadReport report, TrafficHistory cached) {
    return new JsonObject()
        .put("bucket", report.bucket().orElse(null))
        .put("spans", array(report.spans(), span -> span(span, cached)))
        .put("minutes", array(report.minutes(), point -> point(point, cached.minutes())))
        .put("day", array(report.day(), point -> point(point, cached.fiveMinutes())))
        .put("buckets", array(report.buckets(), ProfileResource::bucket))
        .put("prefixes", array(report.prefixes(), ProfileResource::prefix));
  }

  private static <T> JsonArray array(List<T> items, Function<T, JsonObject> document) {
    return new JsonArray(items.stream().map(document).toList());
  }

  private static JsonObject span(LoadReport.Span span, TrafficHistory cached) {
    List<TrafficHistory.Step> steps =
        span.name().equals(LoadReport.DAY) ? cached.fiveMinutes() : cached.minutes();
    JsonObject kinds = new JsonObject();
    for (RequestKind kind : RequestKind.values()) {
      kinds.put(kind.name().toLowerCase(Locale.ROOT), span.kinds().get(kind.place()));
    }
    return rates(new JsonObject().put("name", span.name()), span.rates())
        .put("requests", kinds)
        .put("client_errors", span.clientErrors())
        .put("server_errors", span.serverErrors())
        .put("received_bytes", span.received())
        .put("sent_bytes", span.sent())
        .put("reads_ms", times(span.reads()))
        .put("writes_ms", times(span.writes()))
        .put("all_ms", times(span.all()))
        .put("sizes", bins(span.sizes(), Bins::sizeBound))
        .put("object_sizes", bins(span.objectSizes(), Bins::sizeBound))
        .put("times", bins(span.times(), Bins::timeBoundMs))
        .put("cache", cache(TrafficHistory.since(steps, span.sinceMs(), span.seconds())));
  }

  private static JsonObject point(LoadReport.Point point, List<TrafficHistory.Step> cached) {
    Traffic here =
        cached.stream()
            .filter(step -> step.startMs() == point.startMs())
            .map(TrafficHistory.Step::traffic)
            .findFirst()
            .orElse(Traffic.NONE);
    return rates(new JsonObject().put("start_ms", point.startMs()), point.rates())
        .put("errors", point.errors())
        .put("all_ms", times(point.all()))
        .put("times", bins(point.times(), Bins::timeBoundMs))
        .put("cache", cache(here));
  }

  /** Null if no cached bucket was read. */
  private static @Nullable JsonObject cache(Traffic traffic) {
    return traffic.equals(Traffic.NONE) ? null : UsageJson.ofLast(traffic);
  }

  private static JsonObject rates(JsonObject document, LoadReport.Rates rates) {
    return document
        .put("requests_per_second", rates.requests())
        .put("requests_per_second_max", rates.requestsMax())
        .put("bytes_per_second", rates.bytes())
        .put("bytes_per_second_max", rates.bytesMax());
  }

  private static JsonObject times(LoadReport.Times times) {
    return new JsonObject().put("p50", times.p50()).put("p99", times.p99()).put("max", times.max());
  }

  /** The bins that have requests. */
  private static JsonArray bins(List<Long> counts, Function<Integer, Number> bound) {
    JsonArray bins = new JsonArray();
    for (int bin = 0; bin < counts.size(); bin++) {
      if (counts.get(bin) > 0) {
        bins.add(
            new JsonObject()
                .put("to", bin == counts.size() - 1 ? null : bound.apply(bin))
                .put("requests", counts.get(bin)));
      }
    }
    return bins;
  }

  private static JsonObject bucket(LoadReport.BucketLoad load) {
    return new JsonObject()
        .put("bucket", load.bucket())
        .put("requests", load.requests())
        .put("bytes", load.bytes())
        .put("errors", load.errors());
  }

  private static JsonObject prefix(LoadReport.PrefixLoad load) {
    return new JsonObject()
        .put("bucket", load.bucket())
        .put("prefix", load.prefix())
        .put("requests", load.requests());
  }
}
