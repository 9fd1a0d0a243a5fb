package dev.tarn.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.AnnouncedTarget;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.wire.TargetReport;
import dev.tarn.fixtures.MemoryControlPlane;
import dev.tarn.gateway.admin.Health.Reason;
import dev.tarn.gateway.admin.Health.State;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is said of the health of a cluster, and what to do. */
final class HealthTest {
  private static final long NOW_MS = 100_000;
  private static final String IN_SERVICE = "in service";
  private static final String SILENT = "does not answer: connection refused";

  private final MemoryControlPlane control = new MemoryControlPlane();

  @BeforeEach
  void clusterOfTwo() {
    submit(announce("a"));
    submit(announce("b"));
    submit(new Command.SetMembers(1, Set.of(new TargetId("a"), new TargetId("b"))));
  }

  @Test
  void clusterWhoseTargetsAllAnswerIsWell() {
    assertThat(health(target("a", IN_SERVICE), target("b", IN_SERVICE)))
        .isEqualTo(new Health(State.OK, List.of()));
  }

  @Test
  void targetThatDoesNotAnswerDegradesTheCluster() {
    assertThat(health(target("a", IN_SERVICE), target("b", SILENT)))
        .isEqualTo(
            new Health(
                State.DEGRADED,
                List.of(
                    new Reason(
                        "target b does not answer: connection refused; its objects cannot be read",
                        "check its process, its address b.example:9100 and its log"))));
  }

  @Test
  void clusterOfWhichNoTargetAnswersIsDown() {
    assertThat(health(target("a", SILENT), target("b", SILENT)).state()).isEqualTo(State.DOWN);
    assertThat(
            Health.of(
                    new MemoryControlPlane().state(),
                    new NodeStatus("gateway", 0, List.of()),
                    Commands.REACHABLE,
                    NOW_MS)
                .state())
        .as("without a member")
        .isEqualTo(State.DOWN);
  }

  @Test
  void targetThatIsOutIsNamedOnceWithTheWaysBack() {
    submit(new Command.TakeOut(90_000, new TargetId("b")));
    submit(new Command.ConfirmOut(90_000, new TargetId("b"), 2));

    assertThat(health(target("a", IN_SERVICE), target("b", "out of service")))
        .isEqualTo(
            new Health(
                State.DEGRADED,
                List.of(
                    new Reason(
                        "target b is out of service; its primary objects answer 503",
                        "when it can serve again, run tarn cluster in b; if it will not come back,"
                            + " run tarn cluster remove b --lose-data"))));
  }

  @Test
  void brokenDiskIsToBeRepaired() {
    NodeStatus.Disk broken =
        new NodeStatus.Disk(
            "disk-a", "", "Input/output error", 10, 0, TargetReport.DiskUse.UNKNOWN, List.of());
    NodeStatus.Target a =
        new NodeStatus.Target("a", "", IN_SERVICE, List.of(broken), Optional.empty());

    assertThat(health(a, target("b", IN_SERVICE)).reasons())
        .containsExactly(
            new Reason(
                "disk disk-a of target a is out of service: Input/output error; its objects cannot"
                    + " be read",
                "repair or replace the disk and restart the target"));
  }

  @Test
  void serverWhoseOnlyDiskIsBrokenIsDownAndOneWhoseDiskIsFullIsNot() {
    assertThat(ofOneDisk("Input/output error").state()).isEqualTo(State.DOWN);
    Health full = ofOneDisk("full");
    assertThat(full.state()).isEqualTo(State.DEGRADED);
    assertThat(full.reasons())
        .containsExactly(
            new Reason(
                "disk d of target self is full: 0 of 2,000 bytes are free beyond"
                    + " target.store.reserve-bytes; its keys can be read and deleted, but not"
                    + " written",
                "enlarge the disk"));
  }

  /** The health of a whole cluster in one process. */
  private static Health ofOneDisk(String state) {
    NodeStatus.Disk disk =
        new NodeStatus.Disk("d", "", state, 2000, 0, TargetReport.DiskUse.UNKNOWN, List.of());
    NodeStatus.Target self =
        new NodeStatus.Target("self", "", IN_SERVICE, List.of(disk), Optional.empty());
    return Health.of(
        new MemoryControlPlane().state(),
        new NodeStatus("all", 1, List.of(self)),
        Commands.REACHABLE,
        NOW_MS);
  }

  @Test
  void targetThatWasToldToLeaveIsToConfirm() {
    submit(new Command.TakeOut(90_000, new TargetId("b")));

    assertThat(health(target("a", IN_SERVICE), target("b", "out of service")).reasons())
        .singleElement()
        .satisfies(reason -> {
          assertThat(reason.problem()).contains("b was told to leave, and has not confirmed it");
          assertThat(reason.remedy()).startsWith("start the target, so that it confirms; when it");
        });
  }

  @Test
  void targetThatRunsWithOtherDisksServesNothing() {
    NodeStatus.Disk other =
        new NodeStatus.Disk("new", "", IN_SERVICE, 10, 10, TargetReport.DiskUse.UNKNOWN, List.of());
    NodeStatus.Target b =
        new NodeStatus.Target("b", "", IN_SERVICE, List.of(other), Optional.empty());

    assertThat(health(target("a", IN_SERVICE), b).reasons())
        .singleElement()
        .satisfies(reason ->
            assertThat(reason.problem())
                .isEqualTo(
                    "target b runs without disk disk-b of the cluster map; it serves nothing"));
  }

  @Test
  void controlNodeThatIsAwayIsNamedAndNothingElse() {
    Health away =
        Health.of(
            new MemoryControlPlane().state(),
            new NodeStatus("gateway", 0, List.of()),
            "away: refused",
            NOW_MS);

    assertThat(away.reasons())
        .singleElement()
        .satisfies(
            reason -> assertThat(reason.problem()).startsWith("control plane away: refused;"));
  }

  private Health health(NodeStatus.Target... targets) {
    return Health.of(
        control.state(),
        new NodeStatus("gateway", 1, Arrays.asList(targets)),
        Commands.REACHABLE,
        NOW_MS);
  }

  private static NodeStatus.Target target(String id, String state) {
    return new NodeStatus.Target(id, id + ".example:9100", state, List.of(), Optional.empty());
  }

  private void submit(Command command) {
    assertThat(control.submit(command).toCompletableFuture().join())
        .isInstanceOf(CommandOutcome.Applied.class);
  }

  private static Command announce(String id) {
    return new Command.AnnounceTarget(
        1,
        new AnnouncedTarget(
            new TargetId(id),
            List.of(new TargetAddress("127.0.0.1", 7000)),
            List.of(new AnnouncedTarget.Disk(new DiskId("disk-" + id), 1L << 40))));
  }
}
