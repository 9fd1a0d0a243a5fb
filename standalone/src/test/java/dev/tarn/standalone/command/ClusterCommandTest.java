package dev.tarn.standalone.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.fixtures.MemoryControlPlane;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterCommandTest {
  @TempDir Path directory;

  @Test
  void allThatHaveAnnouncedThemselvesBecomeMembersAndAgainChangesNothing() throws Exception {
    try (AdministeredControl control = new AdministeredControl(directory)) {
      control.announce("t1", "d1");
      control.announce("t2", "d2", "d3");

      RunningTarn.Result first = control.run("cluster", "init", "--targets", "2");
      RunningTarn.Result again = control.run("cluster", "init", "--targets", "2");

      assertThat(first)
          .isEqualTo(
              new RunningTarn.Result(
                  0, "the cluster map of epoch 1 has the members t1, t2" + end(), ""));
      assertThat(again)
          .isEqualTo(
              new RunningTarn.Result(
                  0,
                  "nothing changes: the cluster map of epoch 1 has the members t1, t2" + end(),
                  ""));
    }
  }

  @Test
  void statusWithoutTargetsSaysWhatToDo() throws Exception {
    try (AdministeredControl control = new AdministeredControl(directory)) {
      assertThat(control.run("cluster", "status").out())
          .startsWith("health: down\nproblem: no target is a member of the cluster")
          .contains("no target has announced itself; start one with tarn serve --role target")
          .doesNotContain("liveness");
    }
  }

  @Test
  void onlyTheNamedOnesBecomeMembersAndTheOthersCanBeForgotten() throws Exception {
    try (AdministeredControl control = new AdministeredControl(directory)) {
      control.announce("t1", "d1");
      control.announce("t2", "d2");
      control.announce("t3", "d3");

      assertThat(control.run("cluster", "init", "t3", "t1").out()).contains("members t1, t3");
      assertThat(control.run("cluster", "forget", "t2").exitCode()).isZero();
      assertThat(control.run("cluster", "forget", "t1"))
          .satisfies(refused -> {
            assertThat(refused.err()).contains("target t1 is a member of the cluster map");
            assertThat(refused.exitCode()).isEqualTo(1);
          });
      assertThat(control.run("cluster", "status").out()).contains("t1", "t3").doesNotContain("t2");
    }
  }

  @Test
  void secondInitAddsTargetsAndRefusesASetWithoutAMember() throws Exception {
    try (AdministeredControl control = new AdministeredControl(directory)) {
      control.announce("t1", "d1");
      control.run("cluster", "init");
      control.createBucket("data");
      control.announce("t2", "d2");

      RunningTarn.Result refused = control.run("cluster", "init", "t2");
      assertThat(refused.exitCode()).isEqualTo(1);
      assertThat(refused.err())
          .contains(
              "target t2 would join, target t1 would leave; change the members one by one, with"
                  + " tarn cluster add, out and remove")
          .doesNotContain("\tat ");
      assertThat(control.run("cluster", "init").out())
          .contains("the cluster map of epoch 2 has the members t1, t2");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--targets 3, 'waiting for 3 targets to announce themselves; those that have are t1, t2'",
    "t1 t9, 'waiting for t9 to announce itself; those that have are t1, t2'",
  })
  void thoseThatAreThereAreNamedWhenOthersDoNotCome(String asked, String message) throws Exception {
    try (AdministeredControl control = new AdministeredControl(directory)) {
      control.announce("t1", "d1");
      control.announce("t2", "d2");

      RunningTarn.Result result = control.run(("cluster init --wait 0 " + asked).split(" ", -1));

      assertThat(result.exitCode()).isEqualTo(1);
      assertThat(result.err())
          .contains(message, "tarn cluster init: gave up after 0 ms of " + message);
    }
  }

  @Test
  void serverThatDoesNotAnswerIsWaitedForAndNamed() {
    RunningTarn.Result result =
        RunningTarn.execute(
            "cluster", "init", "--wait", "0", "--data", directory.resolve("nobody").toString());

    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err())
        .contains("waiting for a server that answers: no server has left its address in");
  }

  @ParameterizedTest
  @CsvSource({
    "cluster init --wait soon, '--wait is ''soon'', must be a time such as 60s'",
    "cluster init --targets 0, '--targets is 0, must be at least 1'",
    "cluster forget, Missing required parameter",
    "cluster, Missing required subcommand",
  })
  void wrongUsageIsNamed(String command, String message) throws Exception {
    RunningTarn.Result result = RunningTarn.execute(command.split(" ", -1));

    assertThat(result.err()).contains(message);
    assertThat(result.exitCode()).isEqualTo(2);
  }

  @Test
  void targetsAreAddedTakenOutAndInAndRemovedOneByOne() throws Exception {
    try (AdministeredControl control = new AdministeredControl(directory)) {
      control.announce("t1", "d1");
      control.run("cluster", "init");
      control.announce("t2", "d2");

      assertThat(control.run("cluster", "add", "t2").out())
          .contains("target t2 is a member with 2048 cached slots and 0 primary slots");
      assertThat(control.run("cluster", "add", "t2").out()).startsWith("nothing changes: ");
      assertThat(control.run("cluster", "remove", "t2", "--lose-data").err())
          .contains(
              "Target t2 has not answered this server since it started",
              "nothing was changed; add --yes to remove without a question");
      assertThat(control.run("cluster", "remove", "t2").err()).contains("--lose-data");
      assertThat(control.run("cluster", "out", "t2").out())
          .contains("target t2 has not confirmed that it is out");
      JsonObject leaving = new JsonObject(control.run("cluster", "status", "--json").out());
      assertThat(leaving.getString("health")).isEqualTo("degraded");
      assertThat(leaving.getJsonArray("reasons").getJsonObject(0).getString("remedy"))
          .isEqualTo(
              "start the target, so that it confirms; when it can serve again, run tarn cluster in"
                  + " t2; if it will not come back, run tarn cluster remove t2 --lose-data");
      assertThat(control.run("cluster", "status").out())
          .containsPattern("t2 +leaving +0 min [0-9]+ s +-");
      assertThat(control.run("cluster", "out", "t2").out()).startsWith("nothing changes: ");
      assertThat(control.run("cluster", "out", "t1").err())
          .contains("target t1 is the only one in service");
      assertThat(control.run("cluster", "in", "t2").out())
          .contains("target t2 is in service with 2048 cached slots");
      assertThat(control.run("cluster", "remove", "t2", "--lose-data", "--yes").err())
          .contains("target t2 is in service; run tarn cluster out t2 first");
      control.run("cluster", "out", "t2");
      assertThat(control.run("cluster", "remove", "t2", "--lose-data", "--yes").out())
          .contains("target t2 is removed");
      assertThat(control.run("cluster", "remove", "t2", "--lose-data", "--yes").out())
          .contains("nothing changes: there is no target t2");
      JsonObject status = new JsonObject(control.run("cluster", "status", "--json").out());
      assertThat(status.getJsonArray("targets")).hasSize(1);
      assertThat(control.run("cluster", "out", "t2").err())
          .contains("target t2 is not a member of the cluster map; its members are t1");
    }
  }

  @Test
  void namesThatCanBeNoTargetsAreRefused() throws Exception {
    try (AdministeredControl control = new AdministeredControl(directory)) {
      assertThat(control.run("cluster", "forget", "T_1").err())
          .contains("target id is 'T_1', must be 1 to 64 of a-z");
      assertThat(control.run("cluster", "forget", "t1").err())
          .contains("no target t1 has announced itself");
    }
  }

  @Test
  void statusShowsTargetsAndDisksInTheMapAndBesideIt() throws Exception {
    try (AdministeredControl control = new AdministeredControl(directory)) {
      control.announce("t1", "d1");
      control.announce("t2", "d2");
      control.run("cluster", "init");
      control.announce("t2", "d3", "d4");
      control.announce("t3", "d5");

      assertThat(control.run("cluster", "status").out())
          .contains("control: reachable", "map epoch: 1")
          .startsWith(
              """
              health: degraded
              problem: target t2 runs without disk d2 of the cluster map; it serves nothing
              to do: start the target with the folders of all its disks; if another process has \
              the same cluster.target-id, give it one of its own
              """)
          .containsPattern(
              "t1 +in service +- +- +t1.example:9100 +off +1 +3.0 GiB +- +- +2048 +2048 +0")
          .containsPattern("t2 +member, other disks +- +- +t2.example:9100 +off +3 +6.0 GiB")
          .containsPattern("t3 +announced +- +- +t3.example:9100 +off +1 +3.0 GiB")
          .contains("ask a gateway whether they answer");
      JsonObject status = new JsonObject(control.run("cluster", "status", "--json").out());
      assertThat(status.getJsonArray("targets").getJsonObject(1).getJsonArray("disks").encode())
          .isEqualTo(
              """
              [{"id":"d2","state":"in the map alone"},\
              {"id":"d3","state":"announced","capacity_bytes":3221225472},\
              {"id":"d4","state":"announced","capacity_bytes":3221225472}]\
              """);
    }
  }

  @Test
  void controlPlaneThatIsAwayIsShownAndTakesNoChange() throws Exception {
    try (AdministeredControl control = new AdministeredControl(directory, 0, Away::new)) {
      control.announce("t1", "d1");

      assertThat(control.run("cluster", "status").out()).contains("control: away: it is elsewhere");
      assertThat(control.run("status").out())
          .contains("control: away: it is elsewhere")
          .contains("problem: control plane away: it is elsewhere; buckets, users and keys");
      assertThat(control.run("cluster", "forget", "t1").err()).contains("takes no changes now");
      assertThat(control.run("cluster", "init", "--wait", "0").err())
          .contains("waiting for a server that answers: it takes no changes now");
    }
  }

  private static String end() {
    return System.lineSeparator();
  }

  /** A log that others write, and that is not reached. */
  private record Away(MemoryControlPlane log) implements ControlPlane {
    @Override
    public ControlState state() {
      return log.state();
    }

    @Override
    public CompletionStage<Boolean> refresh() {
      return CompletableFuture.completedFuture(false);
    }

    @Override
    public Optional<String> away() {
      return Optional.of("it is elsewhere");
    }

    @Override
    public CompletionStage<CommandOutcome> submit(Command command) {
      return CompletableFuture.completedFuture(
          new CommandOutcome.Unavailable("it takes no changes now"));
    }

    @Override
    public Watch watch(Consumer<ControlState> listener) {
      return log.watch(listener);
    }
  }
}
