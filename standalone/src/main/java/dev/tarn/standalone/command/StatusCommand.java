package dev.tarn.standalone.command;

import dev.tarn.sharder.cli.output.ByteSize;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
          "free");
    }
    problems(status, targets).forEach(problem -> printer.line("problem: " + problem));
    return 0;
  }

  private JsonObject row(JsonObject target) {
    List<JsonObject> disks = documents(target, "disks");
    String state = target.getString("state");
    String address = target.getString("address");
    return new JsonObject()
        .put("target", target.getString("id"))
        .put("state", state.startsWith("does not answer") ? "does not answer" : state)
        .put("address", address.isEmpty() ? "this process" : address)
        .put("disks", disks.size())
        .put("capacity", sum(disks, "capacity_bytes"))
        .put("free", sum(disks, "free_bytes"));
  }

  private static String sum(List<JsonObject> disks, String field) {
    return ByteSize.print(disks.stream().mapToLong(disk -> disk.getLong(field)).sum());
  }

  /** What is wrong, and what to do. */
  private static List<String> problems(JsonObject status, List<JsonObject> targets) {
    List<String> problems = new ArrayList<>();
    String control = status.getString("control");
    if (!control.equals(REACHABLE)) {
      problems.add(
          "control plane "
              + control
              + "; buckets, users and keys cannot be changed until it is"
              + " back: check that the control node runs and that its address is right");
    }
    for (JsonObject target : targets) {
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
        if (!disk.getString("state").equals(IN_SERVICE)) {
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
    return problems;
  }

  private static String uptime(Duration up) {
    return up.toDays() > 0
        ? "%d d %d h".formatted(up.toDays(), up.toHoursPart())
        : up.toHours() > 0
            ? "%d h %d min".formatted(up.toHours(), up.toMinutesPart())
            : "%d min %d s".formatted(up.toMinutes(), up.toSecondsPart());
  }
}
