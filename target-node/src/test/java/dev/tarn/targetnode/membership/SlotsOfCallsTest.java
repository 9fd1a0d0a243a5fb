package dev.tarn.targetnode.membership;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.AnnouncedTarget;
import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.User;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.Slot;
import dev.tarn.cluster.map.SlotTable;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.Answerer;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ListRequest.ListObjects;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.fixtures.MemoryControlPlane;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which calls a member judges by the slots of the map. */
final class SlotsOfCallsTest {
  private static final TargetId OWN = new TargetId("a");
  private static final TargetId OTHER = new TargetId("b");

  private final MemoryControlPlane control = new MemoryControlPlane();
  private final CallJudge judge =
      new CallJudge(new Member(OWN, Set.of(new DiskId("disk-a")), control));
  private Bucket bucket =
      FixedView.bucket(new BucketId(1), BucketSettings.PRIMARY, Versioning.OFF, 0);

  @BeforeEach
  void clusterOfTwo() {
    submit(new Command.CreateUser(1, new User("u", "u", false)));
    submit(new Command.CreateBucket(1, "bucket", "u", BucketSettings.PRIMARY));
    submit(announce("a"));
    submit(announce("b"));
    submit(new Command.SetMembers(1, Set.of(OWN, OTHER)));
    bucket = requireNonNull(control.state().bucket("bucket"), "bucket is there");
  }

  @Test
  void changeOfTheMapConcernsOnlyCallsWhoseSlotChanged() {
    ObjectKey stays = keyOf(slot -> isHome(slot, OWN));
    submit(announce("c"));
    submit(new Command.AddTarget(2, new TargetId("c")));

    assertThat(epoch()).isEqualTo(2);
    assertThat(judge.decide(head(stays, 1))).isEqualTo(Outcome.success(bucket));
    assertThat(judge.refusalAtCommit(head(stays, 1))).isEmpty();
  }

  @Test
  void callToASlotThatMovedIsToldSoAlsoAtItsCommit() {
    submit(announce("c"));
    submit(new Command.AddTarget(2, new TargetId("c")));
    ObjectKey moves = keyOf(slot -> isHome(slot, OWN) && slot.destination().isPresent());
    Head before = head(moves, 1);
    assertThat(judge.decide(before)).isEqualTo(Outcome.success(bucket));
    submit(new Command.GiveSlots(3, OWN, Map.of(Slot.of(bucket.id(), moves), 1L)));

    assertThat(judge.decide(before)).isEqualTo(Outcome.failed(new Failure.StaleMap(3)));
    assertThat(judge.refusalAtCommit(before)).contains(new Failure.StaleMap(3));
    assertThat(judge.decide(head(moves, 3)))
        .as("a call that knows the new home, and comes here nevertheless")
        .isInstanceOf(Outcome.Failed.class);
  }

  @Test
  void keyOfAnotherTargetIsRefusedUnlessThisOneStandsIn() {
    ObjectKey others = keyOf(slot -> isHome(slot, OTHER));
    assertThat(judge.decide(head(others, 1)))
        .isEqualTo(
            Outcome.failed(
                new Failure.Unavailable(
                    "Call came to the wrong target: the key belongs to target b. Do two targets"
                        + " announce the same address?")));
    assertThat(judge.decide(head(others, 1).answeredBy(Answerer.STAND_IN)))
        .isEqualTo(Outcome.success(bucket));
  }

  @Test
  void nothingIsCarriedOutInASlotThatIsBeingGivenAway() {
    ObjectKey key = keyOf(slot -> isHome(slot, OWN));
    int slot = Slot.of(bucket.id(), key);
    judge.gate().watch(slot);
    assertThat(judge.gate().close(slot)).isTrue();
    Failure refusal = new Failure.Unavailable("The key is moving to another target; retry.");
    assertThat(judge.decide(head(key, 1))).isEqualTo(Outcome.failed(refusal));
    assertThat(judge.refusalAtCommit(head(key, 1))).contains(refusal);
    judge.gate().open(slot);
    assertThat(judge.decide(head(key, 1))).isEqualTo(Outcome.success(bucket));
  }

  @Test
  void listingFailsOnlyIfAHomeChangedSinceItsMap() {
    submit(announce("c"));
    submit(new Command.AddTarget(2, new TargetId("c")));
    assertThat(judge.decide(list(1))).as("only owners changed").isEqualTo(Outcome.success(bucket));
    int given =
        IntStream.range(0, Slot.COUNT)
            .filter(number -> {
              Slot slot = slots().all().get(number);
              return isHome(slot, OWN) && slot.destination().isPresent();
            })
            .findFirst()
            .orElseThrow();
    submit(new Command.GiveSlots(3, OWN, Map.of(given, 1L)));
    assertThat(judge.decide(list(1))).isEqualTo(Outcome.failed(new Failure.StaleMap(3)));
    assertThat(judge.decide(list(3))).isEqualTo(Outcome.success(bucket));
  }

  private TargetRequest<?> list(long since) {
    return new ListObjects(scope(since), "", "", "", 10);
  }

  private Head head(ObjectKey key, long since) {
    return Head.ofWhole(scope(since), key, Optional.empty());
  }

  private CallScope scope(long since) {
    return new CallScope(bucket.id(), bucket.settingsVersion(), since, CallContext.UNNAMED);
  }

  private ObjectKey keyOf(Predicate<Slot> wanted) {
    return IntStream.range(0, 10_000)
        .mapToObj(i -> ObjectKey.of("key-" + i))
        .filter(key -> wanted.test(slots().of(bucket.id(), key)))
        .findFirst()
        .orElseThrow();
  }

  private static boolean isHome(Slot slot, TargetId id) {
    return slot.home().target().equals(id);
  }

  private SlotTable slots() {
    return control.state().map().orElseThrow().slots();
  }

  private long epoch() {
    return control.state().map().orElseThrow().epoch();
  }

  private static Command announce(String id) {
    return new Command.AnnounceTarget(
        1,
        new AnnouncedTarget(
            new TargetId(id),
            List.of(new TargetAddress("127.0.0.1", 7000)),
            List.of(new AnnouncedTarget.Disk(new DiskId("disk-" + id), 1L << 40))));
  }

  private void submit(Command command) {
    assertThat(control.submit(command).toCompletableFuture().join())
        .isInstanceOf(CommandOutcome.Applied.class);
  }
}
