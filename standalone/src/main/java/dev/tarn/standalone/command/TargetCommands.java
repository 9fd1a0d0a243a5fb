package dev.tarn.standalone.command;

import dev.tarn.sharder.cli.output.ByteSize;
import dev.tarn.standalone.client.AdminRequestException;
import io.vertx.core.json.JsonObject;
import java.io.Console;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands of {@code bin/tarn cluster} that change one member. */
final class TargetCommands {
  private TargetCommands() {}

  /** A command about one target. */
  @Command
  abstract static class TargetCommand extends AdminCommand implements Callable<Integer> {
    @Parameters(paramLabel = "TARGET", description = "Id of the target; see tarn cluster status.")
    private String id = "";

    final String id() {
      return id;
    }

    final JsonObject target() throws IOException {
      return call("GET", "/cluster/targets" + segment(id), null);
    }

    /** Makes a change, prints the cluster or a sentence, and returns the target. */
    final void change(String verb, JsonObject body, Sentence sentence) throws IOException {
      JsonObject cluster = call("POST", "/cluster/targets" + segment(id) + "/" + verb, body);
      JsonObject target =
          documents(cluster, "targets").stream()
              .filter(one -> one.getString("id").equals(id))
              .findFirst()
              .orElse(new JsonObject());
      printer()
          .sentence(
              cluster,
              (cluster.getBoolean("changed") ? "" : "nothing changes: ") + sentence.of(target));
    }

    /** What the target is after the change. */
    interface Sentence {
      String of(JsonObject target);
    }
  }

  /** {@code bin/tarn cluster add}. */
  @Command(
      name = "add",
      description = {
        "Add an announced target to the cluster map.",
        "It gets its share of cached keys at once, and of primary keys where no primary data are."
      },
      footer = "  tarn cluster add t4")
  static final class Add extends TargetCommand {
    @Override
    public Integer call() throws IOException {
      change(
          "add",
          new JsonObject(),
          target ->
              "target "
                  + id()
                  + " is a member with "
                  + target.getInteger("cached_slots")
                  + " cached slots and "
                  + target.getInteger("primary_slots")
                  + " primary slots; empty primary slots follow, those with data stay where they"
                  + " are");
      return 0;
    }
  }

  /** {@code bin/tarn cluster out}. */
  @Command(
      name = "out",
      description = {
        "Tell a target to serve nothing, for example before maintenance.",
        "Other targets take its cached keys. Its primary keys answer 503 until it is in again."
      },
      footer = "  tarn cluster out t4")
  static final class Out extends TargetCommand {
    @Override
    public Integer call() throws IOException {
      change(
          "out",
          new JsonObject(),
          target ->
              "leaving".equals(target.getString("state"))
                  ? "target "
                      + id()
                      + " has not confirmed that it is out. Other targets have the keys of its"
                      + " buckets with freshness revalidate; keys of other cached buckets are only"
                      + " read, from the backend, until it confirms or is removed"
                  : "target " + id() + " is out of service; other targets have its cached slots");
      return 0;
    }
  }

  /** {@code bin/tarn cluster in}. */
  @Command(
      name = "in",
      description = "Let a target serve again that is out.",
      footer = "  tarn cluster in t4")
  static final class In extends TargetCommand {
    @Override
    public Integer call() throws IOException {
      change(
          "in",
          new JsonObject(),
          target ->
              "target "
                  + id()
                  + " is in service with "
                  + target.getInteger("cached_slots")
                  + " cached slots and "
                  + target.getInteger("primary_slots")
                  + " primary slots");
      return 0;
    }
  }

  /** {@code bin/tarn cluster remove}. */
  @Command(
      name = "remove",
      description = {
        "Permanently remove a target that is out.",
        "Its primary data are lost. Its disks are never accepted again; delete their folders to"
            + " use them for another target."
      },
      footer = "  tarn cluster remove t4 --lose-data")
  static final class Remove extends TargetCommand {
    private static final int NOT_FOUND = 404;

    @Option(
        names = "--lose-data",
        required = true,
        description = "Accept that the primary data of the target are lost.")
    private boolean losesData;

    @Option(names = "--yes", description = "Do not ask for confirmation.")
    private boolean isConfirmed;

    @Override
    public Integer call() throws IOException {
      if (!losesData) {
        throw wrongUsage("--lose-data is false; a target can only be removed with its data");
      }
      JsonObject target;
      try {
        target = target();
      } catch (AdminRequestException absent) {
        if (absent.status() != NOT_FOUND) {
          throw absent;
        }
        printer()
            .sentence(
                new JsonObject().put("changed", false),
                "nothing changes: there is no target " + id());
        return 0;
      }
      err().println(losses(target));
      err().flush();
      if (!isConfirmed && !confirms()) {
        err().println("nothing was changed; add --yes to remove without a question");
        err().flush();
        return 1;
      }
      change(
          "remove",
          new JsonObject().put("lose_data", true),
          removed -> "target " + id() + " is removed");
      return 0;
    }

    private boolean confirms() {
      return Optional.ofNullable(System.console())
          .filter(Console::isTerminal)
          .map(console -> console.readLine("Remove target %s? Type its id to confirm: ", id()))
          .filter(answer -> answer.equals(id()))
          .isPresent();
    }

    private String losses(JsonObject target) {
      long reportedMs = target.getLong("reported_ms");
      if (reportedMs == 0) {
        return "Target "
            + id()
            + " has not answered this server since it started, so nobody knows which objects are"
            + " lost; another gateway may know.";
      }
      List<JsonObject> held = documents(target, "primary");
      Duration ago = Duration.ofMillis(System.currentTimeMillis() - reportedMs);
      return "Lost with target "
          + id()
          + ", by its report of "
          + ago.toSeconds()
          + " s ago: "
          + (held.isEmpty()
              ? "no objects."
              : held.stream()
                  .map(one ->
                      "%,d objects of %s in bucket %s"
                          .formatted(
                              one.getLong("objects"),
                              ByteSize.print(one.getLong("bytes")),
                              one.getString("bucket")))
                  .collect(Collectors.joining(", ", "", ".")));
    }
  }
}
