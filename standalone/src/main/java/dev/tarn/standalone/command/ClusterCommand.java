package dev.tarn.standalone.command;

import dev.tarn.sharder.cli.output.ByteSize;
import dev.tarn.standalone.cluster.Backoff;
import dev.tarn.standalone.cluster.Formation;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bin/tarn cluster}. */
@Command(
    name = "cluster",
    mixinStandardHelpOptions = true,
    description = "Manage the members of a cluster, or run a cluster on this machine.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ClusterCommand.Init.class,
      ClusterCommand.Status.class,
      TargetCommands.Add.class,
      TargetCommands.Out.class,
      TargetCommands.In.class,
      TargetCommands.Remove.class,
      ClusterCommand.Forget.class,
      ClusterCommand.Restored.class,
      ClusterLocalCommand.class
    })
final class ClusterCommand {
  private static final String CLUSTER = "/cluster";

  /** {@code bin/tarn cluster init}. */
  @Command(
      name = "init",
      description = {
        "Add announced targets to the cluster map.",
        "A second run with the same targets changes nothing; with more targets it adds them. A set"
            + " without a member is refused while there are buckets; use out and remove."
      },
      footer = "  tarn cluster init --targets 3")
  static final class Init extends AdminCommand implements Callable<Integer> {
    @Parameters(
        paramLabel = "ID",
        arity = "0..*",
        description = "Ids of the targets to add; default: all announced targets.")
    private List<String> ids = List.of();

    @Option(
        names = "--targets",
        paramLabel = "N",
        defaultValue = "1",
        description = "Wait until this many targets have announced themselves.")
    private int count = 1;

    @Option(
        names = "--wait",
        paramLabel = "DURATION",
        defaultValue = "60s",
        description = "Longest wait for the server and its targets, such as 60s or 5m.")
    private String wait = "";

    @Override
    public Integer call() throws IOException {
      Duration waitMax = given(() -> waitMax(wait));
      if (count < 1) {
        throw wrongUsage("--targets is " + count + ", must be at least 1");
      }
      PrintWriter err = err();
      Formation formation =
          new Formation(
              this::call,
              progress -> {
                err.println(progress);
                err.flush();
              });
      JsonObject cluster = formation.form(new Formation.Members(ids, count), Backoff.of(waitMax));
      printer().sentence(cluster, made(cluster));
      return 0;
    }

    private static String made(JsonObject cluster) {
      List<String> members =
          documents(cluster, "targets").stream()
              .filter(target -> !target.getString("state").equals("announced"))
              .map(target -> target.getString("id"))
              .toList();
      return (cluster.getBoolean("changed") ? "" : "nothing changes: ")
          + "the cluster map of epoch "
          + cluster.getLong("map_epoch")
          + " has the members "
          + String.join(", ", members);
    }
  }

  /** {@code bin/tarn cluster status}. */
  @Command(
      name = "status",
      description =
          "Show what is wrong, the cluster map, the announced targets, and whether they answer.",
      footer = "  tarn cluster status")
  static final class Status extends AdminCommand implements Callable<Integer> {
    @Override
    public Integer call() throws IOException {
      JsonObject cluster = call("GET", CLUSTER, null);
      JsonObject status = call("GET", "/status", null);
      Map<String, JsonObject> lives =
          documents(status, "targets").stream()
              .collect(Collectors.toMap(target -> target.getString("id"), target -> target));
      for (JsonObject target : documents(cluster, "targets")) {
        JsonObject live = lives.get(target.getString("id"));
        if (live != null) {
          target.put("liveness", live.getString("state"));
        }
        if (live != null && !documents(live, "disks").isEmpty()) { // A silent target has none.
          target.put("primary_bytes", sum(live, "primary_bytes"));
          target.put("cached_bytes", sum(live, "cached_bytes"));
        }
      }
      Printer printer = printer();
      if (printer.json()) {
        cluster.put("health", status.getString("health"));
        cluster.put("reasons", status.getJsonArray("reasons"));
        printer.document(cluster);
        return 0;
      }
      StatusCommand.printHealth(status, printer);
      JsonObject head = cluster.copy();
      head.remove("targets");
      printer.document(head);
      List<JsonObject> rows = documents(cluster, "targets").stream().map(Status::row).toList();
      if (rows.isEmpty()) {
        printer.line(
            "all".equals(status.getString("role"))
                ? "this server is a whole cluster in one process; tarn status shows its disks. To"
                    + " ask the local cluster of a folder, run eval \"$(tarn cluster local env"
                    + " --data FOLDER)\" first"
                : "no target has announced itself; start one with tarn serve --role target");
      } else {
        printTargets(printer, rows, lives.isEmpty());
      }
      return 0;
    }

    private static long sum(JsonObject target, String field) {
      return documents(target, "disks").stream().mapToLong(disk -> disk.getLong(field)).sum();
    }

    private static void printTargets(Printer printer, List<JsonObject> rows, boolean unasked) {
      printer.table(
          new JsonObject().put("targets", new JsonArray(rows)),
          "targets",
          "target",
          "state",
          "since",
          "liveness",
          "address",
          "tls",
          "disks",
          "capacity",
          "primary",
          "cached",
          "primary slots",
          "cached slots",
          "to give");
      if (unasked) {
        printer.line("this server does not call the targets; ask a gateway whether they answer");
      }
    }

    private static JsonObject row(JsonObject target) {
      List<JsonObject> disks = documents(target, "disks");
      long bytes = disks.stream().mapToLong(disk -> disk.getLong("capacity_bytes", 0L)).sum();
      return new JsonObject()
          .put("target", target.getString("id"))
          .put("state", target.getString("state"))
          .put("since", since(target.getLong("since_ms")))
          .put("liveness", StatusCommand.brief(target.getString("liveness", "-")))
          .put(
              "address",
              target.getJsonArray("addresses").stream()
                  .map(String.class::cast)
                  .collect(Collectors.joining(" ")))
          .put("tls", target.getBoolean("tls", false) ? "on" : "off")
          .put("disks", disks.size())
          .put("capacity", ByteSize.print(bytes))
          .put("primary", size(target, "primary_bytes"))
          .put("cached", size(target, "cached_bytes"))
          .put("primary slots", target.getInteger("primary_slots"))
          .put("cached slots", target.getInteger("cached_slots"))
          .put("to give", target.getInteger("primary_slots_to_give"));
    }

    private static String size(JsonObject target, String field) {
      Long bytes = target.getLong(field);
      return bytes == null ? "-" : ByteSize.print(bytes);
    }

    private static String since(long ms) {
      return ms == 0
          ? "-"
          : StatusCommand.inTwoUnits(Duration.ofMillis(System.currentTimeMillis() - ms));
    }
  }

  /** {@code bin/tarn cluster forget}. */
  @Command(
      name = "forget",
      description = "Remove an announced target that is not in the cluster map.",
      footer = "  tarn cluster forget t3")
  static final class Forget extends AdminCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ID", description = "Id of the target.")
    private String id = "";

    @Override
    public Integer call() throws IOException {
      printer().document(call("DELETE", CLUSTER + "/targets" + segment(id), null));
      return 0;
    }
  }

  /** {@code bin/tarn cluster restored}. */
  @Command(
      name = "restored",
      description = {
        "Declare that the data of the control node was restored from a backup.",
        "The control node then accepts changes again. It reuses no id of a lost change."
      },
      footer = "  tarn cluster restored")
  static final class Restored extends AdminCommand implements Callable<Integer> {
    @Override
    public Integer call() throws IOException {
      JsonObject answer = call("POST", CLUSTER + "/restored", null);
      printer().document(answer);
      return 0;
    }
  }
}
