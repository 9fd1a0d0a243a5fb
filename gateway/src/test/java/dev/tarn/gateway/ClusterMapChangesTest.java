package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.CurrentMap;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MapDisk;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.MemberState;
import dev.tarn.cluster.map.Slot;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Evicted;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.fixtures.target.memory.MemoryTarget;
import dev.tarn.gateway.http.GatewayLimits;
import dev.tarn.gateway.route.ClusterTarget;
import dev.tarn.gateway.route.Refresh;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** What a gateway does whose cluster has no map yet, or has another one than it knows. */
@Timeout(60)
class ClusterMapChangesTest {
  private static final String BUCKET = "bucket";

  private final CurrentMap known = new CurrentMap();
  private final AtomicInteger questions = new AtomicInteger();
  private final List<String> called = new CopyOnWriteArrayList<>();
  private volatile Optional<ClusterMap> newest = Optional.empty();
  private GatewayFixture gateway;
  private S3Client alice;

  @BeforeEach
  void start() {
    gateway = new GatewayFixture(GatewayLimits.DEFAULT, this::cluster);
    alice = gateway.client(GatewayFixture.ALICE);
    alice.createBucket(r -> r.bucket(BUCKET));
  }

  @AfterEach
  void stop() {
    alice.close();
    gateway.close();
  }

  private ObjectTarget cluster(ObjectTarget memory) {
    return new ClusterTarget(
        known,
        member -> new Member(memory, member),
        (bucket, key) -> Slot.Keys.PRIMARY,
        this::ask,
        Runnable::run,
        Duration.ofMinutes(1));
  }

  private CompletionStage<?> ask() {
    questions.incrementAndGet();
    newest.ifPresent(known::offer);
    return CompletableFuture.completedFuture(null);
  }

  private static List<MapTarget> at(String... hosts) {
    List<MapTarget> targets = new ArrayList<>();
    for (String host : hosts) {
      targets.add(
          new MapTarget(
              new TargetId("t" + targets.size()),
              List.of(new TargetAddress(host, 1)),
              MemberState.IN_SERVICE,
              1,
              List.of(
                  new MapDisk(new DiskId("disk-" + targets.size()), MemberState.IN_SERVICE, 1))));
    }
    return targets;
  }

  /** Knows the newest map, and notes under which address it is called. */
  private final class Member extends ForwardingTarget {
    private final String host;

    Member(ObjectTarget memory, MapTarget member) {
      super(memory);
      this.host = member.addresses().get(0).host();
    }

    @Override
    public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
      called.add(host);
      long epoch = newest.orElseThrow().epoch();
      return request.scope().since() < epoch
          ? CompletableFuture.completedFuture(Outcome.failed(new Failure.StaleMap(epoch)))
          : super.call(request, body);
    }
  }

  private void put() {
    alice.putObject(r -> r.bucket(BUCKET).key("k"), RequestBody.fromString("x"));
  }

  @Test
  void evictionReachesEachMemberInServiceAndAddsUpWhatTheyDrop() {
    List<MapTarget> members = new ArrayList<>(at("a", "b", "c"));
    MapTarget away = members.removeLast();
    members.add(
        new MapTarget(
            away.id(), away.addresses(), MemberState.OUT_OF_SERVICE, away.weight(), away.disks()));
    ClusterTarget router =
        new ClusterTarget(
            new CurrentMap(ClusterMap.first(members)),
            member -> new DroppingTarget(member.addresses().get(0).host()),
            (bucket, key) -> Slot.Keys.CACHED,
            Refresh.NONE,
            Runnable::run,
            Duration.ofMinutes(1));

    Outcome<Evicted> outcome =
        router
            .call(
                new ListRequest.Evict(
                    new CallScope(new BucketId(1), 0, 0, CallContext.UNNAMED), "", "", 1000))
            .toCompletableFuture()
            .join();

    assertThat(outcome).isEqualTo(Outcome.success(new Evicted(2, 20, "key-a")));
    assertThat(called).containsExactlyInAnyOrder("a", "b");
  }

  /** Drops one object of ten bytes at each eviction; the target a has more. */
  private final class DroppingTarget extends ForwardingTarget {
    private final String host;

    DroppingTarget(String host) {
      super(new MemoryTarget());
      this.host = host;
    }

    @Override
    public CompletionStage<Outcome<Evicted>> evict(ListRequest.Evict request, IncomingBody body) {
      called.add(host);
      return CompletableFuture.completedFuture(
          Outcome.success(new Evicted(1, 10, host.equals("a") ? "key-a" : "")));
    }
  }

  @Test
  void clusterWithoutAMapSaysHowToMakeOne() {
    assertThatThrownBy(this::put)
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> {
              assertThat(e.statusCode()).isEqualTo(503);
              assertThat(e.awsErrorDetails().errorMessage())
                  .contains("has no map yet: run tarn cluster init");
            });
    assertThatThrownBy(() -> alice.listObjectsV2(r -> r.bucket(BUCKET)))
        .hasMessageContaining("has no map yet");
  }

  @Test
  void firstMapIsAskedForAndUsedAtOnce() {
    newest = Optional.of(ClusterMap.first(at("old")));

    put();

    assertThat(called).containsExactly("old");
    assertThat(questions).hasValue(1);
  }

  @Test
  void callUnderAnOldMapIsMadeAgainUnderTheNewOne() {
    ClusterMap first = ClusterMap.first(at("old"));
    known.offer(first);
    newest = Optional.of(first);
    put();
    newest = Optional.of(first.successor(at("new")));
    called.clear();

    alice.headObject(r -> r.bucket(BUCKET).key("k"));

    assertThat(called).containsExactly("old", "new");
    assertThat(known.epoch()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"objects", "versions", "uploads"})
  void listingUnderAnOldMapIsMadeAgainOfTheNewMembers(String listed) {
    ClusterMap first = ClusterMap.first(at("a"));
    known.offer(first);
    newest = Optional.of(first.successor(at("a", "b")));

    switch (listed) {
      case "objects" -> alice.listObjectsV2(r -> r.bucket(BUCKET));
      case "versions" -> alice.listObjectVersions(r -> r.bucket(BUCKET));
      default -> alice.listMultipartUploads(r -> r.bucket(BUCKET));
    }

    assertThat(called).containsExactly("a", "a", "b");
  }

  @Test
  void putUnderAnOldMapIsRepeatedByTheClientAndThenMeetsTheNewOne() {
    ClusterMap first = ClusterMap.first(at("old"));
    known.offer(first);
    newest = Optional.of(first.successor(at("new")));

    put();

    assertThat(called).containsExactly("old", "new");
    assertThat(questions).hasValue(1);
  }
}
