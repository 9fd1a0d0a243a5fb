package dev.tarn.standalone.command;

import static java.util.Locale.ROOT;

import dev.tarn.sharder.cli.output.ByteSize;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code bin/tarn status}. */
@Command(
    name = "status",
    description = "Show what is wrong, targets, disks and counts.",
    footer = "  tarn status --admin-url http://127.0.0.1:9001")
final class StatusCommand extends AdminCommand implements Callable<Integer> {
  private static final int BUCKETS_SHOWN_MAX = 20;

  @Override
  public Integer call() throws IOException {
    JsonObject status = call("GET", "/status", null);
    Printer printer = printer();
    if (printer.json()) {
      printer.document(status);
      return 0;
    }
    printHealth(status, printer);
    JsonObject head = status.copy();
    head.remove("health");
    head.remove("reasons");
    head.remove("targets");
    JsonObject stored = (JsonObject) head.remove("stored");
    head.remove("uptime_s");
    head.put("uptime", inTwoUnits(Duration.ofSeconds(status.getLong("uptime_s"))));
    printer.document(head);
    List<JsonObject> targets = documents(status, "targets");
    if (!targets.isEmpty()) {
      printer.line("");
      printer.table(
          new JsonObject().put("targets", new JsonArray(targets.stream().map(this::row).toList())),
          "targets",
          "target",
          "state",
          "address",
          "disks",
          "capacity",
          "primary",
          "cached",
          "free");
    }
    if (!targets.isEmpty()) {
      printStored(stored, printer);
      CachedTable.printByDisk(targets, printer);
      printEvicted(targets, printer);
    }
    return 0;
  }

  private static void printStored(JsonObject stored, Printer printer) {
    List<JsonObject> buckets = documents(stored, "buckets");
    if (!buckets.isEmpty()) {
      printer.line("");
      List<JsonObject> rows =
          buckets.stream().limit(BUCKETS_SHOWN_MAX).map(StatusCommand::usageRow).toList();
      printer.table(
          new JsonObject().put("buckets", new JsonArray(rows)),
          "buckets",
          "bucket",
          "objects",
          "size",
          "kind");
    }
    if (buckets.size() > BUCKETS_SHOWN_MAX) {
      printer.line(
          "the "
              + BUCKETS_SHOWN_MAX
              + " largest buckets; --json lists "
              + String.format(ROOT, "%,d", buckets.size()));
    }
    printer.line(
        String.format(
            ROOT,
            "stored: %,d objects, %s; objects are versions without delete markers",
            stored.getLong("objects"),
            ByteSize.print(stored.getLong("bytes"))));
    long hits = stored.getLong("cache_hits");
    long reads = hits + stored.getLong("cache_misses");
    if (reads > 0) {
      printer.line(
          String.format(
              ROOT,
              "cache hits: %.1f %% of %,d reads since the start of the targets",
              100.0 * hits / reads,
              reads));
    }
    List<String> missing =
        stored.getJsonArray("missing_targets").stream().map(String.class::cast).toList();
    if (!missing.isEmpty()) {
      printer.line("these counts lack the objects of target " + String.join(", ", missing));
    }
  }

  /** Prints the evictions and refusals of full caches; nothing if there were none. */
  private static void printEvicted(List<JsonObject> targets, Printer printer) {
    List<JsonObject> disks =
        targets.stream().flatMap(target -> documents(target, "disks").stream()).toList();
    long refused = disks.stream().mapToLong(disk -> disk.getLong("cache_refused")).sum();
    long evicted =
        disks.stream()
            .mapToLong(disk ->
                disk.getLong("evicted_for_room_bytes")
                    + disk.getLong("evicted_for_better_bytes")
                    + disk.getLong("evicted_for_shares_bytes"))
            .sum();
    if (refused + evicted > 0) {
      printer.line(
          String.format(
              ROOT,
              "caches have evicted %s for primary data, %s for other cached data and %s because of"
                  + " shares, passed %,d units without keeping them, and missed %,d evicted units"
                  + " again",
              sum(disks, "evicted_for_room_bytes"),
              sum(disks, "evicted_for_better_bytes"),
              sum(disks, "evicted_for_shares_bytes"),
              refused,
              disks.stream().mapToLong(disk -> disk.getLong("cache_wanted_again")).sum()));
    }
  }

  private static JsonObject usageRow(JsonObject bucket) {
    return new JsonObject()
        .put("bucket", bucket.getString("name"))
        .put("objects", String.format(ROOT, "%,d", bucket.getLong("objects")))
        .put("size", ByteSize.print(bucket.getLong("bytes")))
        .put("kind", bucket.getBoolean("cached") ? "in the cache" : "stored");
  }

  private JsonObject row(JsonObject target) {
    List<JsonObject> disks = documents(target, "disks");
    String address = target.getString("address");
    return new JsonObject()
        .put("target", target.getString("id"))
        .put("state", brief(target.getString("state")))
        .put("address", address.isEmpty() ? "this process" : address)
        .put("disks", disks.size())
        .put("capacity", sum(disks, "capacity_bytes"))
        .put("primary", sum(disks, "primary_bytes"))
        .put("cached", sum(disks, "cached_bytes"))
        .put("free", sum(disks, "free_bytes"));
  }

  /** A state without its reason, which the problems tell. */
  static String brief(String state) {
    int reason = state.indexOf(": ");
    return reason < 0 ? state : state.substring(0, reason);
  }

  private static String sum(List<JsonObject> disks, String field) {
    return ByteSize.print(disks.stream().mapToLong(disk -> disk.getLong(field)).sum());
  }

  /** Prints whether the cluster is well, and if not, why and what to do. */
  static void printHealth(JsonObject status, Printer printer) {
    printer.line("health: " + status.getString("health"));
    for (JsonObject reason : documents(status, "reasons")) {
      printer.line("problem: " + reason.getString("problem"));
      printer.line("to do: " + reason.getString("remedy"));
    }
  }

  /** A time in days and hours, hours and minutes, or minutes and seconds. */
  static String inTwoUnits(Duration up) {
    return up.toDays() > 0
        ? "%d d %d h".formatted(up.toDays(), up.toHoursPart())
        : up.toHours() > 0
            ? "%d h %d min".formatted(up.toHours(), up.toMinutesPart())
            : "%d min %d s".formatted(up.toMinutes(), up.toSecondsPart());
  }
}
