package dev.tarn.e2e.wire;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.CurrentMap;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.MemberState;
import dev.tarn.cluster.map.Placement;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.ObjectTarget.ObjectHead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.cluster.target.TargetRequest.ListObjects;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.target.TestBody;
import dev.tarn.gateway.route.ClusterTarget;
import dev.tarn.gateway.route.HttpTarget;
import dev.tarn.gateway.route.Refresh;
import dev.tarn.gateway.route.TransportLimits;
import dev.tarn.gateway.route.VertxTransport;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A router with three target processes, one of which stops and comes back. */
final class ThreeTargetsTest {
  private static final CallScope SCOPE = new CallScope(new BucketId(1), 1, 1);
  private static final List<ObjectKey> KEYS =
      IntStream.range(0, 3000).mapToObj(i -> ObjectKey.of("train/%05d.jpg".formatted(i))).toList();

  private final Vertx vertx = Vertx.vertx();
  private final VertxTransport transport = new VertxTransport(vertx, TransportLimits.DEFAULT);
  private final Map<TargetId, TargetProcess> processes = new HashMap<>();
  private final Map<TargetId, ObjectTarget> targets = new HashMap<>();
  private final ClusterMap map =
      ClusterMap.first(List.of(member("t1", 1), member("t2", 2), member("t3", 3)));
  private final Placement placement = new Placement(map);
  private final ClusterTarget cluster =
      new ClusterTarget(
          new CurrentMap(map),
          id -> requireNonNull(targets.get(id), "no such target"),
          Refresh.NONE,
          ForkJoinPool.commonPool());

  @BeforeEach
  void startThreeTargets() throws IOException {
    for (MapTarget member : map.targets()) {
      TargetProcess process = TargetProcess.start(0);
      processes.put(member.id(), process);
      targets.put(
          member.id(), new HttpTarget(transport, process.address(), RemoteTarget.CAPABILITIES));
    }
  }

  @AfterEach
  void stopAll() {
    processes.values().forEach(TargetProcess::close);
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void objectsAreSpreadByWeightAndListedAsOneBucket() {
    KEYS.forEach(key -> assertThat(put(key)).isInstanceOf(Outcome.Success.class));
    for (MapTarget member : map.targets()) {
      ObjectTarget target = requireNonNull(targets.get(member.id()), "no such target");
      assertThat((double) listAll(target).size())
          .isCloseTo(KEYS.size() * member.weight() / 6.0, Percentage.withPercentage(10));
    }
    assertThat(listAll(cluster)).isEqualTo(KEYS);
  }

  @Test
  void aStoppedTargetIsUnavailableForItsKeysAndForListingsUntilItIsBack() throws IOException {
    List<ObjectKey> keys = KEYS.subList(0, 60);
    keys.forEach(key -> assertThat(put(key)).isInstanceOf(Outcome.Success.class));
    TargetId stopped = new TargetId("t2");
    TargetProcess process = requireNonNull(processes.get(stopped), "no such process");
    process.close();
    for (ObjectKey key : keys) {
      boolean lost = placement.owner(SCOPE.bucket(), key).id().equals(stopped);
      assertThat(isUnavailable(head(key))).isEqualTo(lost);
      assertThat(isUnavailable(put(key))).isEqualTo(lost);
    }
    assertThat(isUnavailable(list(cluster, ""))).isTrue();
    processes.put(stopped, TargetProcess.start(process.address().port()));
    keys.forEach(key -> assertThat(put(key)).isInstanceOf(Outcome.Success.class));
    assertThat(listAll(cluster)).isEqualTo(keys);
  }

  private static <T> boolean isUnavailable(Outcome<T> outcome) {
    return outcome instanceof Outcome.Failed<T>(Failure failure)
        && failure instanceof Failure.Unavailable;
  }

  private Outcome<ObjectMetadata> put(ObjectKey key) {
    Put request = new Put(SCOPE, key, ObjectAttributes.NONE, Set.of(), Preconditions.NONE);
    return cluster.put(request, TestBody.of("x")).toCompletableFuture().join();
  }

  private Outcome<ObjectHead> head(ObjectKey key) {
    Head request = new Head(SCOPE, key, Optional.empty(), Selection.WHOLE, Preconditions.NONE);
    return cluster.head(request).toCompletableFuture().join();
  }

  private static Outcome<ListPage> list(ObjectTarget target, String after) {
    return target
        .listObjects(new ListObjects(SCOPE, "", "", after, 1000))
        .toCompletableFuture()
        .join();
  }

  private static List<ObjectKey> listAll(ObjectTarget target) {
    List<ObjectKey> keys = new ArrayList<>();
    ListPage page;
    do {
      String after = keys.isEmpty() ? "" : keys.get(keys.size() - 1).text();
      page = ((Outcome.Success<ListPage>) list(target, after)).value();
      page.entries().forEach(entry -> keys.add(((ListPage.ObjectEntry) entry).key()));
    } while (page.truncated());
    return keys;
  }

  private static MapTarget member(String id, long weight) {
    return new MapTarget(new TargetId(id), List.of(), MemberState.IN_SERVICE, weight, List.of());
  }
}
