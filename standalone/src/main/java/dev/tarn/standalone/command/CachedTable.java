package dev.tarn.standalone.command;

import static java.util.Locale.ROOT;

import dev.tarn.sharder.cli.output.ByteSize;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tables of what is cached, from the status of the cluster. */
final class CachedTable {
  private static final int ROWS_MAX = 20;
  private static final String UNKNOWN = "-";
  private static final List<String> EVICTIONS =
      List.of("evicted_for_room_bytes", "evicted_for_better_bytes", "evicted_for_shares_bytes");

  private CachedTable() {}

  /** Prints the buckets with a backend. */
  static void print(JsonObject status, Printer printer) {
    JsonArray rows = new JsonArray();
    JsonObject stored = status.getJsonObject("stored");
    for (JsonObject bucket : AdminCommand.documents(stored, "buckets")) {
      if (bucket.getBoolean("cached")) {
        rows.add(printer.json() ? bucket : row(bucket));
      }
    }
    printer.table(
        new JsonObject().put("buckets", rows),
        "buckets",
        "bucket",
        "objects",
        "cached",
        "hits",
        "hits_by_bytes",
        "reads/s",
        "max",
        "fetch_ms",
        "max_ms",
        "errors",
        "evicted");
    if (!printer.json()) {
      printer.line("hits, reads and fetches of the last hour; max of the busiest ten seconds");
    }
  }

  private static JsonObject row(JsonObject bucket) {
    JsonObject cache = bucket.getJsonObject("cache");
    JsonObject hour = cache.getJsonObject("last_hour");
    return new JsonObject()
        .put("bucket", bucket.getString("name"))
        .put("objects", String.format(ROOT, "%,d", bucket.getLong("objects")))
        .put("cached", ByteSize.print(bucket.getLong("bytes")))
        .put("hits", percent(hour.getDouble("hit_ratio")))
        .put("hits_by_bytes", percent(hour.getDouble("hit_ratio_by_bytes")))
        .put("reads/s", number(hour.getDouble("reads_per_second")))
        .put("max", number(hour.getDouble("reads_per_second_max")))
        .put("fetch_ms", number(hour.getDouble("fetch_ms")))
        .put("max_ms", number(hour.getDouble("fetch_ms_max")))
        .put("errors", hour.getLong("fetch_errors"))
        .put("evicted", ByteSize.print(EVICTIONS.stream().mapToLong(cache::getLong).sum()));
  }

  private static String percent(@Nullable Double ratio) {
    return ratio == null ? UNKNOWN : String.format(ROOT, "%.1f %%", 100 * ratio);
  }

  private static String number(@Nullable Double value) {
    return value == null ? UNKNOWN : String.format(ROOT, "%.1f", value);
  }

  /** Prints what the cache of each disk has of which bucket: the largest parts. */
  static void printByDisk(List<JsonObject> targets, Printer printer) {
    List<JsonObject> rows =
        targets.stream().flatMap(CachedTable::parts).sorted(CachedTable::larger).toList();
    if (rows.isEmpty()) {
      return;
    }
    printer.line("");
    printer.table(
        new JsonObject()
            .put(
                "parts",
                new JsonArray(rows.stream().limit(ROWS_MAX).map(CachedTable::part).toList())),
        "parts",
        "target",
        "disk",
        "bucket",
        "cached");
    if (rows.size() > ROWS_MAX) {
      printer.line("the " + ROWS_MAX + " largest parts of caches; --json lists all");
    }
  }

  private static Stream<JsonObject> parts(JsonObject target) {
    return AdminCommand.documents(target, "disks").stream()
        .flatMap(disk ->
            AdminCommand.documents(disk, "cached").stream()
                .map(cached ->
                    cached
                        .copy()
                        .put("target", target.getString("id"))
                        .put("disk", disk.getString("id"))));
  }

  private static int larger(JsonObject one, JsonObject other) {
    return Long.compare(other.getLong("bytes"), one.getLong("bytes"));
  }

  private static JsonObject part(JsonObject part) {
    return part.put("cached", ByteSize.print(part.getLong("bytes")));
  }
}
