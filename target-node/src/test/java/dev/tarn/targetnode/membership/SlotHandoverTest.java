package dev.tarn.targetnode.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.AnnouncedTarget;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MemberState;
import dev.tarn.cluster.map.Slot;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.fixtures.MemoryControlPlane;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A target that shall give slots to others, or shall serve nothing. */
final class SlotHandoverTest {
  private static final TargetId OWN = new TargetId("a");
  private static final InstantSource CLOCK = InstantSource.system();

  private final MemoryControlPlane control = new MemoryControlPlane();
  private final LossyControl lossy = new LossyControl();
  private final SlotGate gate = new SlotGate();
  private final Set<Integer> inUse = new HashSet<>();
  private Runnable whenLookedUp = () -> {};
  private final SlotHandover handover = handover("disk-a");

  /** The handover of a process that has the id of the member, and this disk. */
  private SlotHandover handover(String disk) {
    return new SlotHandover(
        new Member(OWN, Set.of(new DiskId(disk)), lossy),
        lossy,
        gate,
        () -> {
          whenLookedUp.run();
          return inUse;
        },
        CLOCK);
  }

  /** Applies commands, and may lose the answers or be away. */
  private final class LossyControl implements ControlPlane {
    private boolean losesAnswers;
    private boolean isAway;
    private Optional<ControlState> kept = Optional.empty();

    @Override
    public ControlState state() {
      return kept.orElseGet(control::state);
    }

    @Override
    public CompletionStage<Boolean> refresh() {
      kept = isAway ? kept : Optional.empty();
      return CompletableFuture.completedFuture(!isAway);
    }

    @Override
    public CompletionStage<CommandOutcome> submit(Command command) {
      if (isAway) {
        return CompletableFuture.completedFuture(new CommandOutcome.Unavailable("away"));
      }
      return losesAnswers
          ? CompletableFuture.completedFuture(new CommandOutcome.Unconfirmed("no answer"))
          : control.submit(command);
    }

    @Override
    public Watch watch(Consumer<ControlState> listener) {
      return control.watch(listener);
    }
  }

  @BeforeEach
  void addSecondTarget() {
    submit(announce("a"));
    submit(new Command.SetMembers(1, Set.of(OWN)));
    submit(announce("b"));
    submit(new Command.AddTarget(2, new TargetId("b")));
  }

  @Test
  void emptySlotsGoToTheirDestinationAndThoseInUseStay() throws IOException {
    Set<Integer> wanted = toGive();
    List<Integer> used = wanted.stream().limit(10).toList();
    inUse.addAll(used);
    handover.step();

    assertThat(wanted).hasSize(Slot.COUNT / 2);
    assertThat(homes("b")).hasSize(Slot.COUNT / 2 - used.size());
    assertThat(toGive()).containsExactlyInAnyOrderElementsOf(used);
    assertThat(wanted).noneMatch(gate::isClosed);
  }

  @Test
  void slotThatChangesDuringTheLookUpStays() throws IOException {
    int changed = toGive().iterator().next();
    whenLookedUp = () -> assertThat(gate.pass(changed)).isTrue();
    handover.step();
    assertThat(toGive()).containsExactly(changed);
  }

  @Test
  void changesAreRefusedBetweenTheLookUpAndTheMove() throws IOException {
    Set<Integer> wanted = toGive();
    lossy.losesAnswers = true;
    handover.step();
    assertThat(wanted).allMatch(gate::isClosed).noneMatch(gate::pass);
    assertThat(handover.interval()).isLessThan(Duration.ofSeconds(5));

    handover.step();
    assertThat(wanted).as("while the outcome is unknown").allMatch(gate::isClosed);
    lossy.isAway = true;
    handover.step();
    assertThat(wanted).as("the first command may have been applied").allMatch(gate::isClosed);
    lossy.isAway = false;
    lossy.losesAnswers = false;
    handover.step();
    assertThat(wanted).allMatch(gate::pass);
    assertThat(homes("b")).containsExactlyInAnyOrderElementsOf(wanted);
  }

  @Test
  void restartedTargetKeepsTheSlotsThatItMayHaveGivenClosedUntilItKnowsTheNewestMap()
      throws IOException {
    Set<Integer> wanted = toGive();
    int used = wanted.iterator().next();
    inUse.add(used);
    lossy.kept = Optional.of(control.state());
    lossy.isAway = true;
    handover.begin();
    handover.step();

    assertThat(gate.isClosed(used)).isFalse();
    assertThat(wanted).filteredOn(slot -> slot != used).allMatch(gate::isClosed);
    lossy.isAway = false;
    handover.step();
    assertThat(wanted).noneMatch(gate::isClosed);
    assertThat(homes("b")).hasSize(wanted.size() - 1);
  }

  @Test
  void slotsAreOpenAgainIfNoCommandWasSent() throws IOException {
    lossy.isAway = true;
    handover.step();
    assertThat(toGive()).noneMatch(gate::isClosed);
  }

  @Test
  void slotsThatNobodyWantsStayOpen() throws IOException {
    handover.step();
    whenLookedUp =
        () -> {
          throw new AssertionError("looked up without need");
        };
    handover.step();
    assertThat(IntStream.range(0, Slot.COUNT)).noneMatch(gate::isClosed);
  }

  @Test
  void targetConfirmsThatItIsOutOnce() {
    OutConfirmation confirmation = confirmation("disk-a");
    confirmation.step();
    assertThat(state(OWN)).isEqualTo(MemberState.IN_SERVICE);
    submit(new Command.TakeOut(3, OWN));
    assertThat(new Member(OWN, Set.of(new DiskId("disk-a")), control).refusal())
        .map(failure -> failure.message())
        .contains("The target a is out of service; tarn cluster in a lets it serve.");
    confirmation.step();
    assertThat(state(OWN)).isEqualTo(MemberState.OUT_OF_SERVICE);
    long version = control.state().version();
    confirmation.step();
    assertThat(control.state().version()).isEqualTo(version);
  }

  private OutConfirmation confirmation(String disk) {
    return new OutConfirmation(new Member(OWN, Set.of(new DiskId(disk)), control), control, CLOCK);
  }

  @Test
  void processWithOtherDisksNeitherGivesNorConfirmsForTheMember() throws IOException {
    submit(announce("c"));
    submit(new Command.AddTarget(2, new TargetId("c")));
    Set<Integer> before = homes("a");
    SlotHandover other = handover("disk-of-another");
    other.begin();
    other.step();
    assertThat(homes("a")).isEqualTo(before);
    submit(new Command.TakeOut(3, OWN));
    confirmation("disk-of-another").step();
    assertThat(state(OWN)).isEqualTo(MemberState.LEAVING);
  }

  private MemberState state(TargetId id) {
    return control.state().map().orElseThrow().target(id).orElseThrow().state();
  }

  private Set<Integer> toGive() {
    return slots(slot -> slot.destination().isPresent());
  }

  private Set<Integer> homes(String id) {
    return slots(slot -> slot.home().target().value().equals(id));
  }

  private Set<Integer> slots(Predicate<Slot> wanted) {
    List<Slot> slots = control.state().map().orElseThrow().slots().all();
    return IntStream.range(0, Slot.COUNT)
        .filter(number -> wanted.test(slots.get(number)))
        .boxed()
        .collect(Collectors.toSet());
  }

  private static Command announce(String id) {
    return new Command.AnnounceTarget(
        1,
        new AnnouncedTarget(
            new TargetId(id),
            List.of(new TargetAddress("127.0.0.1", 7000)),
            List.of(new AnnouncedTarget.Disk(new DiskId("disk-" + id), 1L << 40)),
            false,
            Optional.empty()));
  }

  private void submit(Command command) {
    assertThat(control.submit(command).toCompletableFuture().join())
        .isInstanceOf(CommandOutcome.Applied.class);
  }
}
