package dev.tarn.e2e.wire;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.CurrentMap;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.Slot;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.fixtures.target.LockContract;
import dev.tarn.fixtures.target.ObjectTargetContract;
import dev.tarn.fixtures.target.VersionContract;
import dev.tarn.fixtures.target.VersionListContract;
import dev.tarn.fixtures.target.memory.MemoryTarget;
import dev.tarn.gateway.route.ClusterTarget;
import dev.tarn.gateway.route.Refresh;
import dev.tarn.transport.server.BodyForm;
import dev.tarn.transport.server.FormedTarget;
import dev.tarn.transport.server.RemoteTarget;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The contract suite over a router to three targets: in this process, over HTTP, out of files. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ClusterTargetTest extends ObjectTargetContract
    implements VersionContract, VersionListContract, LockContract {
  private static final TargetId LOCAL = new TargetId("local");
  private static final TargetId REMOTE = new TargetId("remote");
  private static final TargetId FILES = new TargetId("files");

  private final Vertx vertx = Vertx.vertx();
  private final Map<TargetId, MemoryTarget> memory =
      Stream.of(LOCAL, REMOTE, FILES)
          .collect(toMap(id -> id, id -> new MemoryTarget(this::configuration)));
  private final RemoteTarget remote = new RemoteTarget(vertx, memoryOf(REMOTE));
  private final ObjectTarget files = new FormedTarget(memoryOf(FILES), BodyForm.FILE_RANGES::of);
  private final ClusterTarget cluster =
      new ClusterTarget(
          new CurrentMap(
              ClusterMap.first(Stream.of(LOCAL, REMOTE, FILES).map(this::member).toList())),
          member -> targetOf(member.id()),
          (bucket, key) -> Slot.Keys.PRIMARY,
          Refresh.NONE,
          ForkJoinPool.commonPool(),
          Duration.ofMinutes(1));

  @BeforeAll
  void start() {
    remote.start();
  }

  @AfterAll
  void everyBodyIsClosedAtTheEnd() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
    assertThat(memory.values()).allSatisfy(target -> assertThat(target.openBodies()).isZero());
  }

  @Override
  public ObjectTarget target() {
    return cluster;
  }

  private ObjectTarget targetOf(TargetId id) {
    if (id.equals(REMOTE)) {
      return remote.target();
    }
    return id.equals(FILES) ? files : memoryOf(id);
  }

  private MemoryTarget memoryOf(TargetId id) {
    return requireNonNull(memory.get(id), "no such target");
  }

  private MapTarget member(TargetId id) {
    return MapTarget.ofEqualDisks(id, List.of(new DiskId(id.value())));
  }
}
