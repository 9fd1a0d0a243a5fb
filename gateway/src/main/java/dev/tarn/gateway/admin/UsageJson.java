package dev.tarn.gateway.admin;

import dev.tarn.cluster.wire.TargetReport;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** How well the cache serves a bucket, as JSON. */
final class UsageJson {
  /** The time in which the busiest reads are counted. */
  private static final int BUSIEST_SECONDS = 10;

  private UsageJson() {}

  static JsonObject cache(TargetReport.Usage usage) {
    TargetReport.Left left = usage.left();
    return new JsonObject()
        .put("last_minute", ofLast(usage.ofMinute()))
        .put("last_hour", ofLast(usage.ofHour()))
        .put("since_start", counts(usage.sinceStart()))
        .put("evicted_for_room_bytes", left.forRoom())
        .put("evicted_for_better_bytes", left.forBetter())
        .put("evicted_for_shares_bytes", left.forShares())
        .put("dropped_bytes", left.dropped())
        .put("unread_bytes", left.unread());
  }

  /** What was read of cached buckets in some time. */
  static JsonObject ofLast(TargetReport.Traffic traffic) {
    double seconds = Math.max(1, traffic.seconds());
    double reads = (traffic.hits() + traffic.misses()) / seconds;
    double bytes = (traffic.hitBytes() + traffic.fetchedBytes()) / seconds;
    double mostReads = (double) traffic.busiestReads() / BUSIEST_SECONDS;
    double mostBytes = (double) traffic.busiestBytes() / BUSIEST_SECONDS;
    return counts(traffic)
        .put("reads_per_second", rounded(reads))
        .put("reads_per_second_max", rounded(Math.max(reads, mostReads)))
        .put("bytes_per_second", (long) bytes)
        .put("bytes_per_second_max", (long) Math.max(bytes, mostBytes));
  }

  private static JsonObject counts(TargetReport.Traffic traffic) {
    long reads = traffic.hits() + traffic.misses();
    long bytes = traffic.hitBytes() + traffic.fetchedBytes();
    return new JsonObject()
        .put("reads", reads)
        .put("hits", traffic.hits())
        .put("hit_bytes", traffic.hitBytes())
        .put("fetched_bytes", traffic.fetchedBytes())
        .put("hit_ratio", ratio(traffic.hits(), reads))
        .put("hit_ratio_by_bytes", ratio(traffic.hitBytes(), bytes))
        .put("fetches", traffic.fetches())
        .put("fetch_errors", traffic.fetchErrors())
        .put("fetch_ms", ratio(traffic.fetchMicros(), 1000 * traffic.fetches()))
        .put("fetch_ms_max", ratio(traffic.slowestFetchMicros(), 1000));
  }

  /** A ratio with three digits; null if there is nothing to divide by. */
  private static @Nullable Double ratio(long part, long all) {
    return all == 0 ? null : rounded((double) part / all);
  }

  private static double rounded(double value) {
    return Math.round(1000 * value) / 1000.0;
  }
}
