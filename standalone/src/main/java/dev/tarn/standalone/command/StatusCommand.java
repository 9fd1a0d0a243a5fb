package dev.tarn.standalone.command;

import static java.util.Locale.ROOT;

import dev.tarn.sharder.cli.output.ByteSize;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code bin/tarn status}. */
@Command(
    name = "status",
    description = "Show version, targets, disks, counts, and what is wrong.",
    footer = "  tarn status --admin-url http://127.0.0.1:9001")
final class StatusCommand extends AdminCommand implements Callable<Integer> {
  private static final String REACHABLE = "reachable";
  private static final String IN_SERVICE = "in service";
  private static final String FULL = "full";
  private static final int BUCKETS_SHOWN_MAX = 20;

  /** For how long reads that passed a full cache count as a problem. */
  private static final Duration PASSED_SHOWN_MAX = Duration.ofMinutes(10);

  @Override
  public Integer call() throws IOException {
    JsonObject status = call("GET", "/status", null);
    Printer printer = printer();
    if (printer.json()) {
      printer.document(status);
      return 0;
    }
    JsonObject head = status.copy();
    head.remove("targets");
    JsonObject stored = (JsonObject) head.remove("stored");
    head.remove("uptime_s");
    head.put("uptime", uptime(Duration.ofSeconds(status.getLong("uptime_s"))));
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
    problems(status).forEach(problem -> printer.line("problem: " + problem));
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

  /** Describes the problems and their remedies. */
  static List<String> problems(JsonObject status) {
    List<String> problems = new ArrayList<>();
    String control = status.getString("control");
    if (!control.equals(REACHABLE)) {
      problems.add(
          "control plane "
              + control
              + "; buckets, users and keys cannot be changed until it is"
              + " back: check that the control node runs and that its address is right");
    }
    for (JsonObject target : documents(status, "targets")) {
      String id = target.getString("id");
      String state = target.getString("state");
      if (!state.equals(IN_SERVICE)) {
        problems.add(
            "target "
                + id
                + " "
                + state
                + "; its objects cannot be read: check its process, its"
                + " address "
                + target.getString("address")
                + " and its log");
      }
      for (JsonObject disk : documents(target, "disks")) {
        if (disk.getString("state").equals(FULL)) {
          problems.add(full(id, disk));
        } else if (!disk.getString("state").equals(IN_SERVICE)) {
          problems.add(
              "disk "
                  + disk.getString("id")
                  + " of target "
                  + id
                  + " is out of service: "
                  + disk.getString("state")
                  + "; its objects cannot be read: repair or replace"
                  + " the disk and restart the target");
        }
      }
    }
    passed(status.getJsonObject("stored"), System.currentTimeMillis()).ifPresent(problems::add);
    return problems;
  }

  /**
   * Describes the effect of a full disk, and a remedy without loss of data. What is cached has left
   * by itself.
   */
  private static String full(String target, JsonObject disk) {
    return "disk "
        + disk.getString("id")
        + " of target "
        + target
        + " is full: "
        + ByteSize.print(disk.getLong("free_bytes"))
        + " of "
        + ByteSize.print(disk.getLong("capacity_bytes"))
        + " is free beyond target.store.reserve-bytes; its keys can be read and deleted, but"
        + " not written: enlarge the disk";
  }

  /** Reads that a cache without room passes on; empty if there were none for some minutes. */
  private static Optional<String> passed(JsonObject stored, long nowMs) {
    Duration ago = Duration.ofMillis(nowMs - stored.getLong("cache_passed_for_room_last_ms"));
    return ago.compareTo(PASSED_SHOWN_MAX) > 0
        ? Optional.empty()
        : Optional.of(
            String.format(
                ROOT,
                "reads of cached buckets are passed to their backends without being cached, because"
                    + " a disk has no room: %,d units and small objects since the start, the last"
                    + " %d s ago; enlarge the disk",
                stored.getLong("cache_passed_for_room"),
                Math.max(0, ago.toSeconds())));
  }

  private static String uptime(Duration up) {
    return up.toDays() > 0
        ? "%d d %d h".formatted(up.toDays(), up.toHoursPart())
        : up.toHours() > 0
            ? "%d h %d min".formatted(up.toHours(), up.toMinutesPart())
            : "%d min %d s".formatted(up.toMinutes(), up.toSecondsPart());
  }
}
