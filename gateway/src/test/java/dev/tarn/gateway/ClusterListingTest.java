package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.CurrentMap;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.Slot;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.Answerer;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.fixtures.target.memory.MemoryTarget;
import dev.tarn.gateway.route.ClusterTarget;
import dev.tarn.gateway.route.Refresh;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whom a listing asks. */
final class ClusterListingTest {
  private static final BucketId CACHED = new BucketId(1);
  private static final BucketId PRIMARY = new BucketId(2);
  private final Set<TargetId> stopped = new HashSet<>();
  private final List<TargetId> asked = new ArrayList<>();
  private final List<TargetId> members = Stream.of("a", "b", "c").map(TargetId::new).toList();
  private final ClusterTarget cluster =
      new ClusterTarget(
          new CurrentMap(
              ClusterMap.first(
                  members.stream()
                      .map(id ->
                          MapTarget.ofEqualDisks(id, List.of(new DiskId("disk-" + id.value()))))
                      .toList())),
          member -> new Member(member.id()),
          (bucket, key) -> bucket.equals(CACHED) ? Slot.Keys.CACHED : Slot.Keys.PRIMARY,
          Refresh.NONE,
          Runnable::run,
          Duration.ofMinutes(1));

  private final class Member extends ForwardingTarget {
    private final TargetId id;

    Member(TargetId id) {
      super(new MemoryTarget());
      this.id = id;
    }

    @Override
    public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
      asked.add(id);
      return stopped.contains(id)
          ? CompletableFuture.completedFuture(
              Outcome.failed(new Failure.Unavailable("stopped by a test")))
          : super.call(request, body);
    }
  }

  private Outcome<ListPage> list(BucketId bucket) {
    return list(new CallScope(bucket, 0, 1, CallContext.UNNAMED));
  }

  private Outcome<ListPage> list(CallScope scope) {
    return cluster
        .call(new ListRequest.ListObjects(scope, "", "", "", 10))
        .toCompletableFuture()
        .join();
  }

  @Test
  void aBucketWithABackendIsListedByOneMember() {
    assertThat(list(CACHED)).isInstanceOf(Outcome.Success.class);
    assertThat(asked).hasSize(1);
  }

  @Test
  void itIsListedByTheNextOnesWhileMembersAreStopped() {
    list(CACHED);
    stopped.addAll(asked);
    assertThat(list(CACHED)).isInstanceOf(Outcome.Success.class);
    stopped.addAll(members);
    asked.clear();
    assertThat(list(CACHED)).isInstanceOf(Outcome.Failed.class);
    assertThat(asked).containsExactlyInAnyOrderElementsOf(members);
  }

  @Test
  void aListingOfAPrimaryBucketFailsWithoutAnyOneMember() {
    assertThat(list(PRIMARY)).isInstanceOf(Outcome.Success.class);
    stopped.add(members.getFirst());
    assertThat(list(PRIMARY))
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.failure()).isInstanceOf(Failure.Unavailable.class));
  }

  @Test
  void partialListingIsThatOfTheMembersThatAreThere() {
    CallScope scope =
        new CallScope(PRIMARY, 0, 1, CallContext.UNNAMED).answeredBy(Answerer.WHO_IS_THERE);
    assertThat(list(scope)).isEqualTo(Outcome.success(new ListPage(List.of(), false, false)));
    stopped.add(members.getFirst());
    assertThat(list(scope)).isEqualTo(Outcome.success(new ListPage(List.of(), false, true)));
    stopped.addAll(members);
    assertThat(list(scope)).isInstanceOf(Outcome.Failed.class);
  }
}
