package dev.tarn.cluster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.CommandOutcome.Reason;
import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.MemberState;
import dev.tarn.cluster.map.Slot;
import dev.tarn.cluster.map.Slot.Keys;
import dev.tarn.cluster.map.SlotHolder;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Targets that join, leave for a while, and go for ever. */
final class MapChangesTest {
  private static final long TIB = 1L << 40;

  private ControlState state = StateMachine.empty();

  @BeforeEach
  void clusterOfThreeWithABucket() {
    apply(new Command.CreateUser(1, new User("u", "u", false)));
    for (String id : List.of("a", "b", "c", "d")) {
      apply(announce(id));
    }
    Set<TargetId> three = Stream.of("a", "b", "c").map(TargetId::new).collect(Collectors.toSet());
    apply(new Command.SetMembers(1, three));
    apply(new Command.CreateBucket(1, "bucket", "u", BucketSettings.PRIMARY));
  }

  @Test
  void addedTargetHasItsShareOfCachedSlotsAtOnceAndPrimarySlotsLater() {
    ClusterMap before = map();
    apply(new Command.AddTarget(7, id("d")));

    assertThat(slots(Keys.CACHED, "d")).isEqualTo(1024);
    assertThat(slots(Keys.PRIMARY, "d")).isZero();
    assertThat(map().slots().count(slot -> slot.destination().isPresent())).isEqualTo(1024);
    assertThat(map().target(id("d")).orElseThrow().stateMs()).isEqualTo(7);
    assertThat(changed(before, slot -> slot.holder(Keys.CACHED)))
        .as("slots that changed their owner")
        .isEqualTo(1024);
    assertThat(changed(before, slot -> slot.holder(Keys.PRIMARY))).isZero();
    rejects(Reason.NOTHING_CHANGES, new Command.AddTarget(8, id("d")));
  }

  @Test
  void onlySlotsThatMoveHaveANewEpoch() {
    ClusterMap before = map();
    apply(new Command.AddTarget(7, id("d")));
    for (int number = 0; number < Slot.COUNT; number++) {
      SlotHolder earlier = before.slots().all().get(number).owner();
      SlotHolder later = map().slots().all().get(number).owner();
      boolean isMoved = !earlier.place().equals(later.place());
      assertThat(later.since()).isEqualTo(isMoved ? map().epoch() : earlier.since());
    }
  }

  @Test
  void homeGivesTheSlotsThatItFoundEmptyAndNoOthers() {
    apply(new Command.AddTarget(7, id("d")));
    Map<Integer, Long> leaving = leaving("a");
    Map<Integer, Long> empty = new HashMap<>(leaving);
    int kept = leaving.keySet().iterator().next();
    empty.remove(kept);
    int other =
        IntStream.range(0, Slot.COUNT).filter(i -> isHome(i, "b")).findFirst().orElseThrow();
    empty.put(other, 1L);
    apply(new Command.GiveSlots(8, id("a"), empty));

    assertThat(slots(Keys.PRIMARY, "d")).isEqualTo(leaving.size() - 1);
    assertThat(isHome(kept, "a")).isTrue();
    assertThat(isHome(other, "b")).isTrue();
    assertThat(leaving("a")).containsOnlyKeys(kept);
    rejects(Reason.NOTHING_CHANGES, new Command.GiveSlots(9, id("a"), empty));
  }

  @Test
  void slotThatChangedSinceItWasFoundEmptyStays() {
    apply(new Command.AddTarget(7, id("d")));
    int slot = leaving("a").keySet().iterator().next();
    rejects(Reason.NOTHING_CHANGES, new Command.GiveSlots(8, id("a"), Map.of(slot, 99L)));
    assertThat(isHome(slot, "a")).isTrue();
  }

  @Test
  void targetThatIsOutLosesItsCachedSlotsWhenItConfirmsAndKeepsItsPrimaryOnes() {
    int primary = slots(Keys.PRIMARY, "a");
    apply(new Command.TakeOut(7, id("a")));

    assertThat(member("a").state()).isEqualTo(MemberState.LEAVING);
    assertThat(slots(Keys.CACHED, "a")).as("may still be believed there").isPositive();
    assertThat(slots(Keys.REVALIDATED, "a")).isZero();
    apply(new Command.ConfirmOut(8, id("a"), member("a").stateEpoch()));
    assertThat(member("a").state()).isEqualTo(MemberState.OUT_OF_SERVICE);
    assertThat(slots(Keys.CACHED, "a")).isZero();
    assertThat(slots(Keys.PRIMARY, "a")).isEqualTo(primary);
    assertThat(map().slots().count(slot -> slot.taker().isPresent())).isZero();
  }

  @Test
  void confirmationChangesNothingForKeysThatWereTakenOver() {
    apply(new Command.TakeOut(7, id("a")));
    ClusterMap before = map();
    apply(new Command.ConfirmOut(8, id("a"), member("a").stateEpoch()));
    assertThat(changed(before, slot -> slot.holder(Keys.REVALIDATED))).isZero();
  }

  @Test
  void confirmationOfAnEarlierOutIsRefused() {
    apply(new Command.TakeOut(7, id("a")));
    long earlier = member("a").stateEpoch();
    apply(new Command.TakeIn(8, id("a")));
    apply(new Command.TakeOut(9, id("a")));
    rejects(Reason.NOTHING_CHANGES, new Command.ConfirmOut(10, id("a"), earlier));
    assertThat(member("a").state()).isEqualTo(MemberState.LEAVING);
  }

  @Test
  void targetThatIsInAgainGetsItsShareBack() {
    apply(new Command.TakeOut(7, id("a")));
    apply(new Command.ConfirmOut(8, id("a"), member("a").stateEpoch()));
    apply(new Command.TakeIn(9, id("a")));
    assertThat(slots(Keys.CACHED, "a")).isBetween(1365, 1366);
    rejects(Reason.NOTHING_CHANGES, new Command.TakeIn(10, id("a")));
  }

  @Test
  void targetThatIsInAgainBeforeItConfirmedHasItsSlotsAnewAndBelievesNothingOlder() {
    ClusterMap before = map();
    apply(new Command.TakeOut(7, id("a")));
    apply(new Command.TakeIn(8, id("a")));
    for (int number = 0; number < Slot.COUNT; number++) {
      SlotHolder earlier = before.slots().all().get(number).owner();
      Slot slot = map().slots().all().get(number);
      assertThat(slot.taker()).isEmpty();
      assertThat(slot.owner().place()).isEqualTo(earlier.place());
      if (earlier.target().equals(id("a"))) {
        assertThat(slot.owner().since()).isEqualTo(map().epoch());
      }
    }
  }

  @Test
  void removedTargetLeavesItsSlotsToOthersAndItsDisksAreNeverUsedAgain() {
    assertThat(rejects(Reason.TARGET_IN_SERVICE, new Command.RemoveTarget(7, id("a"))))
        .contains("run tarn cluster out a first");
    apply(new Command.TakeOut(7, id("a")));
    ClusterMap before = map();
    apply(new Command.RemoveTarget(8, id("a")));

    for (Keys keys : Keys.values()) {
      assertThat(slots(keys, "b") + slots(keys, "c")).isEqualTo(Slot.COUNT);
      assertThat(slots(keys, "b")).isBetween(2047, 2049);
    }
    assertThat(changed(before, slot -> slot.holder(Keys.PRIMARY)))
        .isEqualTo(before.slots().count(slot -> slot.home().target().equals(id("a"))));
    assertThat(state.announced(id("a"))).isNull();
    assertThat(rejects(Reason.DISK_OF_REMOVED_TARGET, announce("a")))
        .contains("disk disk-a of target a was a disk of a target that was removed");
    assertThat(rejects(Reason.DISK_OF_REMOVED_TARGET, announce("e", "disk-e", "disk-a")))
        .contains("disk disk-a of target e");
    rejects(Reason.NOTHING_CHANGES, new Command.RemoveTarget(9, id("a")));
    apply(announce("a", "another-disk"));
  }

  @Test
  void slotsThatWaitForATargetThatIsOutFindAnotherDestination() {
    apply(new Command.AddTarget(7, id("d")));
    apply(new Command.TakeOut(8, id("d")));
    assertThat(map().slots().count(slot -> slot.destination().isPresent())).isZero();
    apply(new Command.TakeIn(9, id("d")));
    assertThat(map().slots().count(slot -> slot.destination().isPresent())).isEqualTo(1024);
  }

  @Test
  void lastTargetInServiceStays() {
    apply(new Command.TakeOut(7, id("a")));
    apply(new Command.TakeOut(8, id("b")));
    assertThat(rejects(Reason.LAST_TARGET, new Command.TakeOut(9, id("c"))))
        .contains("target c is the only one in service");
  }

  @Test
  void unknownTargetsAreNamed() {
    assertThat(rejects(Reason.NO_SUCH_TARGET, new Command.AddTarget(7, id("x"))))
        .contains("no target x has announced itself");
    for (Command command :
        List.of(new Command.TakeOut(7, id("x")), new Command.TakeIn(7, id("x")))) {
      assertThat(rejects(Reason.NO_SUCH_TARGET, command))
          .isEqualTo("target x is not a member of the cluster map; its members are a, b, c");
    }
  }

  @Test
  void mapOfTwoHundredTargetsIsSmall() {
    ControlState large = StateMachine.empty();
    for (int i = 0; i < 200; i++) {
      large =
          StateMachine.apply(
                  large,
                  announce("target-%s-of-a-cluster-%03d".formatted("x".repeat(16), i), "d-" + i))
              .state();
    }
    Set<TargetId> all =
        large.announced().stream().map(AnnouncedTarget::id).collect(Collectors.toSet());
    large = StateMachine.apply(large, new Command.SetMembers(1, all)).state();
    assertThat(MapCodec.MAP.encode(large.map().orElseThrow())).hasSizeLessThan(200 << 10);
  }

  private ClusterMap map() {
    return state.map().orElseThrow();
  }

  private MapTarget member(String id) {
    return map().target(id(id)).orElseThrow();
  }

  private int slots(Keys keys, String id) {
    return map().slots().count(slot -> slot.holder(keys).target().equals(id(id)));
  }

  private boolean isHome(int slot, String id) {
    return map().slots().all().get(slot).home().target().equals(id(id));
  }

  /** The slots that a home shall give away, and since when it has them. */
  private Map<Integer, Long> leaving(String home) {
    Predicate<Slot> isLeaving = slot -> slot.destination().isPresent();
    return IntStream.range(0, Slot.COUNT)
        .filter(slot -> isHome(slot, home) && isLeaving.test(map().slots().all().get(slot)))
        .boxed()
        .collect(
            Collectors.toMap(slot -> slot, slot -> map().slots().all().get(slot).home().since()));
  }

  private int changed(ClusterMap before, Function<Slot, SlotHolder> holder) {
    return (int)
        IntStream.range(0, Slot.COUNT)
            .filter(slot ->
                !holder
                    .apply(before.slots().all().get(slot))
                    .equals(holder.apply(map().slots().all().get(slot))))
            .count();
  }

  private static TargetId id(String id) {
    return new TargetId(id);
  }

  private static Command announce(String id) {
    return announce(id, "disk-" + id);
  }

  private static Command announce(String id, String... disks) {
    return new Command.AnnounceTarget(
        1,
        new AnnouncedTarget(
            new TargetId(id),
            List.of(new TargetAddress("127.0.0.1", 7000)),
            Stream.of(disks)
                .map(disk -> new AnnouncedTarget.Disk(new DiskId(disk), TIB))
                .toList()));
  }

  private void apply(Command command) {
    StateMachine.Transition transition = StateMachine.apply(state, command);
    assertThat(transition.applied()).as("%s", transition.outcome()).isTrue();
    state = transition.state();
  }

  private String rejects(Reason reason, Command command) {
    StateMachine.Transition transition = StateMachine.apply(state, command);
    assertThat(transition.state()).isSameAs(state);
    CommandOutcome.Rejected rejected = (CommandOutcome.Rejected) transition.outcome();
    assertThat(rejected.reason()).isEqualTo(reason);
    return rejected.message();
  }
}
