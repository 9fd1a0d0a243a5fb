package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.control.CommandOutcome.Reason;
import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MapDisk;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.BucketId;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who may be put into the map, and when. */
class MembershipTest {
  private static final long GIB = 1L << 30;

  private ControlState state = StateMachine.empty();

  @Test
  void announcedTargetIsNoMemberUntilItIsPutIntoTheMap() {
    apply(announce("a", 7000, "a1"));
    assertThat(state.map()).isEmpty();
    apply(members("a"));
    assertThat(map().epoch()).isEqualTo(1);
    assertThat(map().targets()).extracting(MapTarget::id).containsExactly(new TargetId("a"));
  }

  @Test
  void memberIsWeightedByTheCapacityOfItsDisksInGib() {
    apply(
        new Command.AnnounceTarget(
            1,
            new AnnouncedTarget(
                new TargetId("a"),
                List.of(new TargetAddress("h", 1)),
                List.of(
                    new AnnouncedTarget.Disk(new DiskId("big"), 100 * GIB + GIB / 2),
                    new AnnouncedTarget.Disk(new DiskId("small"), 1)))));
    apply(members("a"));
    MapTarget member = map().targets().get(0);
    assertThat(member.weight()).isEqualTo(102);
    assertThat(member.disks()).extracting(MapDisk::weight).containsExactly(101L, 1L);
  }

  @Test
  void memberThatMovedIsReachedAtItsNewAddressUnderANewEpochAndKeepsItsWeight() {
    createBucket();
    apply(announce("a", 7000, "a1"));
    apply(members("a"));
    MapTarget before = map().targets().get(0);
    apply(announce("a", 7001, "a1"));
    assertThat(map().epoch()).isEqualTo(2);
    assertThat(map().targets())
        .containsExactly(
            new MapTarget(
                before.id(),
                List.of(new TargetAddress("127.0.0.1", 7001)),
                before.state(),
                before.weight(),
                before.disks()));
  }

  @Test
  void processWithTheIdOfAMemberAndNoneOfItsDisksGetsNoCallsOfIt() {
    apply(announce("a", 7000, "a1"));
    apply(members("a"));
    createBucket();
    assertThat(rejects(Reason.TARGET_IS_MEMBER, announce("a", 7001, "a2")))
        .startsWith(
            "target a is a member of the cluster map with other disks; give this process a"
                + " cluster.target-id of its own.");
    apply(announce("a", 7002, "a1", "a2"));
    assertThat(map().targets().get(0).addresses())
        .containsExactly(new TargetAddress("127.0.0.1", 7002));
  }

  @Test
  void membersChangeFreelyWhileThereAreNoBuckets() {
    apply(announce("a", 7000, "a1"));
    apply(announce("b", 7001, "b1"));
    apply(members("a"));
    apply(members("a", "b"));
    apply(members("b"));
    assertThat(map().epoch()).isEqualTo(3);
    assertThat(map().targets()).extracting(MapTarget::id).containsExactly(new TargetId("b"));
  }

  @Test
  void changeThatWouldMoveObjectsIsRefusedByNameWhileThereAreBuckets() {
    createBucket();
    apply(announce("a", 7000, "a1"));
    apply(announce("b", 7001, "b1"));
    apply(announce("c", 7002, "c1"));
    apply(members("a", "b"));
    assertThat(rejects(Reason.NEEDS_REBALANCE, members("a", "c")))
        .contains("target c would join", "target b would leave", "1 buckets");
    apply(announce("a", 7000, "a1", "a2"));
    assertThat(rejects(Reason.NEEDS_REBALANCE, members("a", "b")))
        .contains("target a has other disks than in the map");
    assertThat(map().epoch()).isEqualTo(1);
  }

  @Test
  void sameMembersAgainChangeNothing() {
    apply(announce("a", 7000, "a1"));
    apply(members("a"));
    rejects(Reason.NOTHING_CHANGES, members("a"));
    rejects(Reason.NOTHING_CHANGES, announce("a", 7000, "a1"));
  }

  @Test
  void unknownTargetAndAnEmptyMapAreRefused() {
    apply(announce("a", 7000, "a1"));
    assertThat(rejects(Reason.NO_SUCH_TARGET, members("a", "b")))
        .contains("no target b", "those that have are a");
    rejects(Reason.NO_SUCH_TARGET, members());
    rejects(Reason.NO_SUCH_TARGET, new Command.ForgetTarget(1, new TargetId("b")));
  }

  @Test
  void diskOfAnotherTargetIsRefused() {
    apply(announce("a", 7000, "a1"));
    assertThat(rejects(Reason.DISK_OF_ANOTHER_TARGET, announce("b", 7001, "b1", "a1")))
        .contains("disk a1 of target b is that of target a");
  }

  @Test
  void onlyATargetOutsideTheMapCanBeForgotten() {
    apply(announce("a", 7000, "a1"));
    apply(announce("b", 7001, "b1"));
    apply(members("a"));
    rejects(Reason.TARGET_IS_MEMBER, new Command.ForgetTarget(1, new TargetId("a")));
    apply(new Command.ForgetTarget(1, new TargetId("b")));
    assertThat(state.announced(new TargetId("b"))).isNull();
  }

  @Test
  void diskThatCannotBeReadKeepsATargetOutOfTheMap() {
    apply(
        new Command.AnnounceTarget(
            1,
            new AnnouncedTarget(
                new TargetId("a"),
                List.of(new TargetAddress("h", 1)),
                List.of(new AnnouncedTarget.Disk(new DiskId("broken"), 0)))));
    assertThat(rejects(Reason.DISK_UNREADABLE, members("a"))).contains("disk broken of target a");
  }

  @Test
  void restoredStateGivesNoIdAgainThatALostCommandMayHaveGiven() {
    createBucket();
    apply(announce("a", 7000, "a1"));
    rejects(Reason.NOTHING_CHANGES, new Command.Restore(1, state.version()));
    long version = state.version();
    apply(new Command.Restore(1, version + 100));
    assertThat(state.version()).isEqualTo(version + 101);
    apply(new Command.CreateBucket(1, "next", "u", BucketSettings.PRIMARY));
    assertThat(requireNonNull(state.bucket("next")).id().value()).isGreaterThan(101);
  }

  @Test
  void bucketThatALostCommandMayHaveMadeNeverCountsAsDeleted() throws IOException {
    createBucket();
    apply(new Command.DeleteBucket(1, "bucket", Optional.empty()));
    long firstLost = 2;
    apply(new Command.Restore(1, state.version() + 100));
    apply(new Command.CreateBucket(1, "next", "u", BucketSettings.PRIMARY));
    long next = requireNonNull(state.bucket("next")).id().value();
    assertThat(state.isDeleted(new BucketId(next))).isFalse();
    apply(new Command.DeleteBucket(1, "next", Optional.empty()));

    ControlState reloaded = ControlCodec.STATE.decode(ControlCodec.STATE.encode(state));
    ControlState ofTarget = StateMachine.empty().with(reloaded.since(0).withoutIdentities());
    for (ControlState known : List.of(state, reloaded, ofTarget)) {
      assertThat(known.isDeleted(new BucketId(1))).isTrue();
      assertThat(known.isDeleted(new BucketId(next))).isTrue();
      assertThat(known.isDeleted(new BucketId(next + 1))).isFalse();
      assertThat(known.isDeleted(new BucketId(Long.MAX_VALUE))).isFalse();
      for (long lost = firstLost; lost < next; lost++) {
        assertThat(known.isDeleted(new BucketId(lost))).isFalse();
      }
    }
  }

  @Test
  void clusterIdIsGivenOnce() {
    apply(new Command.NameCluster(1, "one"));
    rejects(Reason.CLUSTER_HAS_AN_ID, new Command.NameCluster(1, "two"));
    assertThat(state.clusterId()).contains("one");
  }

  @Test
  void snapshotKeepsTargetsAndTheMapAndTheOneBeforeIt() throws IOException {
    apply(new Command.NameCluster(1, "one"));
    apply(announce("a", 7000, "a1"));
    apply(members("a"));
    apply(announce("a", 7001, "a1"));
    ControlState reloaded = ControlCodec.STATE.decode(ControlCodec.STATE.encode(state));
    assertThat(reloaded.map()).isEqualTo(state.map());
    assertThat(reloaded.announced()).containsExactlyElementsOf(state.announced());
    assertThat(reloaded.clusterId()).contains("one");
  }

  private ClusterMap map() {
    return state.map().orElseThrow();
  }

  @Test
  void targetWithoutTlsCannotAnnounceAPortForDirectReads() {
    TargetAddress address = new TargetAddress("h", 1);

    assertThatThrownBy(() -> secured(false, Optional.of(address)))
        .hasMessage("target a announces a port for direct reads, must announce TLS as well");
    assertThat(secured(true, Optional.of(address)).readAddress()).contains(address);
  }

  private static AnnouncedTarget secured(boolean tls, Optional<TargetAddress> readAddress) {
    return new AnnouncedTarget(
        new TargetId("a"),
        List.of(new TargetAddress("h", 2)),
        List.of(new AnnouncedTarget.Disk(new DiskId("a1"), GIB)),
        tls,
        readAddress);
  }

  private void createBucket() {
    apply(new Command.CreateUser(1, new User("u", "u", false)));
    apply(new Command.CreateBucket(1, "bucket", "u", BucketSettings.PRIMARY));
  }

  private static Command announce(String id, int port, String... disks) {
    return new Command.AnnounceTarget(
        1,
        new AnnouncedTarget(
            new TargetId(id),
            List.of(new TargetAddress("127.0.0.1", port)),
            Stream.of(disks)
                .map(disk -> new AnnouncedTarget.Disk(new DiskId(disk), 10 * GIB))
                .toList()));
  }

  private static Command members(String... ids) {
    Set<TargetId> members = Stream.of(ids).map(TargetId::new).collect(Collectors.toSet());
    return new Command.SetMembers(1, members);
  }

  private void apply(Command command) {
    StateMachine.Transition transition = StateMachine.apply(state, command);
    assertThat(transition.applied()).as("%s", transition.outcome()).isTrue();
    state = transition.state();
  }

  private String rejects(Reason reason, Command command) {
    StateMachine.Transition transition = StateMachine.apply(state, command);
    assertThat(transition.state()).isSameAs(state);
    assertThat(transition.outcome()).isInstanceOf(CommandOutcome.Rejected.class);
    CommandOutcome.Rejected rejected = (CommandOutcome.Rejected) transition.outcome();
    assertThat(rejected.reason()).isEqualTo(reason);
    return rejected.message();
  }
}
