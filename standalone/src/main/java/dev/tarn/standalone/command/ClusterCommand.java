package dev.tarn.standalone.command;

import dev.tarn.standalone.cluster.Backoff;
import dev.tarn.standalone.cluster.Formation;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bin/tarn cluster}. */
@Command(
    name = "cluster",
    mixinStandardHelpOptions = true,
    description = "The members of the cluster, and a whole one on this machine.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ClusterCommand.Init.class,
      ClusterCommand.Status.class,
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
        "Put targets that have announced themselves into the cluster map.",
        "Run again with the same targets it changes nothing. Another set of targets is refused"
            + " while there are buckets, as objects would have to move."
      })
  static final class Init extends AdminCommand implements Callable<Integer> {
    @Parameters(
        paramLabel = "ID",
        arity = "0..*",
        description = "The members; without any, all targets that have announced themselves.")
    private List<String> ids = List.of();

    @Option(
        names = "--targets",
        paramLabel = "N",
        defaultValue = "1",
        description = "Wait until so many targets have announced themselves.")
    private int count = 1;

    @Option(
        names = "--wait",
        paramLabel = "DURATION",
        defaultValue = "60s",
        description = "The longest wait for the server and its targets, such as 60s or 5m.")
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
  @Command(name = "status", description = "Show the cluster map and who has announced itself.")
  static final class Status extends AdminCommand implements Callable<Integer> {
    @Override
    public Integer call() throws IOException {
      JsonObject cluster = call("GET", CLUSTER, null);
      Printer printer = printer();
      if (printer.json()) {
        printer.document(cluster);
        return 0;
      }
      JsonObject head = cluster.copy();
      head.remove("targets");
      printer.document(head);
      List<JsonObject> rows = documents(cluster, "targets").stream().map(Status::row).toList();
      printer.table(
          new JsonObject().put("targets", new JsonArray(rows)),
          "targets",
          "target",
          "state",
          "address",
          "disks",
          "capacity");
      return 0;
    }

    private static JsonObject row(JsonObject target) {
      List<JsonObject> disks = documents(target, "disks");
      long bytes = disks.stream().mapToLong(disk -> disk.getLong("capacity_bytes", 0L)).sum();
      return new JsonObject()
          .put("target", target.getString("id"))
          .put("state", target.getString("state"))
          .put(
              "address",
              target.getJsonArray("addresses").stream()
                  .map(String.class::cast)
                  .collect(Collectors.joining(" ")))
          .put("disks", disks.size())
          .put("capacity", String.format(Locale.ROOT, "%.1f GiB", (double) bytes / (1 << 30)));
    }
  }

  /** {@code bin/tarn cluster forget}. */
  @Command(
      name = "forget",
      description = "Forget a target that has announced itself and is no member.")
  static final class Forget extends AdminCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ID", description = "The target.")
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
        "Say that the control node's data was restored from a copy.",
        "It then takes changes again, and gives no id that a lost change may have given."
      })
  static final class Restored extends AdminCommand implements Callable<Integer> {
    @Override
    public Integer call() throws IOException {
      JsonObject answer = call("POST", CLUSTER + "/restored", null);
      printer().document(answer);
      return 0;
    }
  }

  private static List<JsonObject> documents(JsonObject document, String list) {
    return document.getJsonArray(list).stream().map(JsonObject.class::cast).toList();
  }
}
