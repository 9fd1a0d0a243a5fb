package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.CurrentMap;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MapDisk;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.MemberState;
import dev.tarn.cluster.map.Placement;
import dev.tarn.cluster.map.Slot;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.Answerer;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.fixtures.target.memory.MemoryTarget;
import dev.tarn.gateway.route.ClusterTarget;
import dev.tarn.gateway.route.Refresh;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whom a read asks while the owner of its key is away. */
final class StandInReadsTest {
  private static final BucketId CACHED = new BucketId(1);
  private static final BucketId PRIMARY = new BucketId(2);
  private static final ObjectKey KEY = ObjectKey.of("key");
  private static final Failure AWAY = new Failure.Unavailable("stopped by a test");

  private final Map<TargetId, Failure> failing = new HashMap<>();
  private final List<Asked> asked = new ArrayList<>();
  private Consumer<Asked> whenAsked = last -> {};
  private final CurrentMap map = new CurrentMap(ClusterMap.first(members(Optional.empty())));
  private final ClusterTarget cluster =
      new ClusterTarget(
          map,
          member -> new Member(member.id()),
          (bucket, key) -> bucket.equals(CACHED) ? Slot.Keys.CACHED : Slot.Keys.PRIMARY,
          Refresh.NONE,
          Runnable::run,
          Duration.ofMinutes(1));

  /** A call that a member got. */
  private record Asked(TargetId member, Answerer answerer) {}

  private static List<MapTarget> members(Optional<TargetId> outOfService) {
    return Stream.of("a", "b", "c")
        .map(TargetId::new)
        .map(id ->
            new MapTarget(
                id,
                List.of(),
                outOfService.equals(Optional.of(id))
                    ? MemberState.OUT_OF_SERVICE
                    : MemberState.IN_SERVICE,
                1,
                List.of(new MapDisk(new DiskId("disk-" + id.value()), MemberState.IN_SERVICE, 1))))
        .toList();
  }

  private final class Member extends ForwardingTarget {
    private final TargetId id;

    Member(TargetId id) {
      super(new MemoryTarget());
      this.id = id;
    }

    @Override
    public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
      asked.add(new Asked(id, request.scope().answerer()));
      whenAsked.accept(asked.getLast());
      Failure failure = failing.get(id);
      return failure != null
          ? CompletableFuture.completedFuture(Outcome.failed(failure))
          : super.call(request, body); // which has no such key
    }
  }

  private static TargetId owner(CurrentMap of, BucketId bucket) {
    Placement placement = of.placement().orElseThrow();
    return placement.of(Slot.Keys.CACHED, bucket, KEY).target().id();
  }

  private Failure read(BucketId bucket) {
    return read(cluster, bucket);
  }

  private static Failure read(ClusterTarget from, BucketId bucket) {
    Outcome<?> outcome =
        from.call(
                new TargetRequest.Get(
                    new CallScope(bucket, 0, 1, CallContext.UNNAMED),
                    KEY,
                    Optional.empty(),
                    Selection.WHOLE,
                    Preconditions.NONE))
            .toCompletableFuture()
            .join();
    return ((Outcome.Failed<?>) outcome).failure();
  }

  @Test
  void ownerThatAnswersIsTheOnlyOneAsked() {
    assertThat(read(CACHED)).isInstanceOf(Failure.NoSuchKey.class);

    assertThat(asked).containsExactly(new Asked(owner(map, CACHED), Answerer.OWNER_FIRST));
  }

  @Test
  void nextMemberStandsInForAnOwnerThatIsAway() {
    failing.put(owner(map, CACHED), AWAY);

    assertThat(read(CACHED)).isInstanceOf(Failure.NoSuchKey.class);

    assertThat(asked).hasSize(2);
    assertThat(asked.getLast().answerer()).isEqualTo(Answerer.STAND_IN);
    Asked first = asked.getLast();
    asked.clear();
    read(CACHED);
    assertThat(asked).endsWith(first);
  }

  @Test
  void readThatNobodyAnswersWaitsForTheOwner() {
    members(Optional.empty()).forEach(member -> failing.put(member.id(), AWAY));

    assertThat(read(CACHED)).isEqualTo(AWAY);

    TargetId owner = owner(map, CACHED);
    assertThat(asked).hasSize(6).startsWith(new Asked(owner, Answerer.OWNER_FIRST));
    assertThat(asked.subList(1, 3)).extracting(Asked::answerer).containsOnly(Answerer.STAND_IN);
    assertThat(asked.subList(0, 3).stream().map(Asked::member))
        .containsExactlyInAnyOrder(new TargetId("a"), new TargetId("b"), new TargetId("c"));
    assertThat(asked.get(3)).isEqualTo(new Asked(owner, Answerer.OWNER));
    assertThat(asked.subList(4, 6)).isEqualTo(asked.subList(1, 3));
  }

  @Test
  void memberThatIsBackWhileAReadWaitsForTheOwnerStandsIn() {
    members(Optional.empty()).forEach(member -> failing.put(member.id(), AWAY));
    TargetId owner = owner(map, CACHED);
    whenAsked =
        last -> {
          if (last.equals(new Asked(owner, Answerer.OWNER))) {
            failing.keySet().retainAll(Set.of(owner));
          }
        };

    assertThat(read(CACHED)).isInstanceOf(Failure.NoSuchKey.class);

    assertThat(asked.getLast().answerer()).isEqualTo(Answerer.STAND_IN);
  }

  @Test
  void readOfTheOnlyMemberWaitsForIt() {
    MapTarget only = members(Optional.empty()).getFirst();
    failing.put(only.id(), AWAY);
    ClusterTarget router =
        new ClusterTarget(
            new CurrentMap(ClusterMap.first(List.of(only))),
            member -> new Member(member.id()),
            (bucket, key) -> bucket.equals(CACHED) ? Slot.Keys.CACHED : Slot.Keys.PRIMARY,
            Refresh.NONE,
            Runnable::run,
            Duration.ofMinutes(1));

    assertThat(read(router, CACHED)).isEqualTo(AWAY);

    assertThat(asked)
        .containsExactly(
            new Asked(only.id(), Answerer.OWNER_FIRST), new Asked(only.id(), Answerer.OWNER));
  }

  @Test
  void anyOtherFailureOfTheOwnerIsTheAnswer() {
    Failure backend = new Failure.BackendFailed(500, "", "the backend failed");
    failing.put(owner(map, CACHED), backend);

    assertThat(read(CACHED)).isEqualTo(backend);

    assertThat(asked).hasSize(1);
  }

  @Test
  void ownerThatIsOutOfServiceIsNotAsked() {
    TargetId owner = owner(map, CACHED);
    CurrentMap reduced = new CurrentMap(ClusterMap.first(members(Optional.of(owner))));
    ClusterTarget router =
        new ClusterTarget(
            reduced,
            member -> new Member(member.id()),
            (bucket, key) -> bucket.equals(CACHED) ? Slot.Keys.CACHED : Slot.Keys.PRIMARY,
            Refresh.NONE,
            Runnable::run,
            Duration.ofMinutes(1));

    assertThat(read(router, CACHED)).isInstanceOf(Failure.NoSuchKey.class);

    assertThat(asked).hasSize(1);
    assertThat(asked.getFirst().member()).isNotEqualTo(owner);
    assertThat(asked.getFirst().answerer()).isEqualTo(Answerer.STAND_IN);
  }

  @Test
  void onlyTheOwnerReadsAPrimaryBucket() {
    failing.put(owner(map, PRIMARY), AWAY);

    assertThat(read(PRIMARY)).isEqualTo(AWAY);

    assertThat(asked).containsExactly(new Asked(owner(map, PRIMARY), Answerer.OWNER));
  }

  @Test
  void onlyTheOwnerIsAskedToWrite() {
    failing.put(owner(map, CACHED), AWAY);

    Outcome<?> outcome =
        cluster
            .call(
                new TargetRequest.Put(
                    new CallScope(CACHED, 0, 1, CallContext.UNNAMED),
                    KEY,
                    ObjectAttributes.NONE,
                    Set.of(),
                    Preconditions.NONE),
                IncomingBody.EMPTY)
            .toCompletableFuture()
            .join();

    assertThat(outcome).isEqualTo(Outcome.failed(AWAY));
    assertThat(asked).containsExactly(new Asked(owner(map, CACHED), Answerer.OWNER));
  }
}
