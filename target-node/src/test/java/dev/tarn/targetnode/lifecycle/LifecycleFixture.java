package dev.tarn.targetnode.lifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketChange;
import dev.tarn.cluster.control.BucketConfiguration;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.control.LifecycleRule;
import dev.tarn.cluster.control.LifecycleRule.Expiration;
import dev.tarn.cluster.control.LifecycleRule.Filter;
import dev.tarn.cluster.control.User;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectLock;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.cluster.target.VersionPage;
import dev.tarn.cluster.target.VersionPage.VersionEntry;
import dev.tarn.fixtures.MemoryControlPlane;
import dev.tarn.fixtures.target.TestBody;
import dev.tarn.fixtures.target.memory.MemoryTarget;
import dev.tarn.targetnode.membership.ClusterView;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/**
 * A target in memory, a control plane that may be away, and lifecycle rules carried out on them.
 */
abstract class LifecycleFixture {
  private static final String NAME = "bucket";
  static final Instant BEGINNING = Instant.parse("2026-03-10T10:30:00Z");

  static final Duration PERIOD = Duration.ofDays(1);

  Instant now = BEGINNING;
  boolean reachable = true;
  Optional<Failure> refusal = Optional.empty();
  Runnable beforeNextWrite = () -> {};
  final List<TargetRequest<?>> asked = new ArrayList<>();
  private final MemoryControlPlane control = new MemoryControlPlane();
  private final Bucket bucket = newBucket(control);
  private final CallScope scope = new CallScope(bucket.id(), 1, 0, CallContext.UNNAMED);
  private final ObjectTarget target =
      new MemoryTarget(
          id -> BucketConfiguration.NONE.withVersioning(versioningOfAWrite()), () -> now, 1 << 20);
  final Lifecycle lifecycle =
      new Lifecycle(
          listening(target),
          new ControlPlaneThatMayBeAway(),
          view(),
          () -> now,
          PERIOD,
          new SimpleMeterRegistry());

  /** Runs the steps of one round. */
  final void round() {
    boolean more = true;
    while (more) {
      more = lifecycle.step();
    }
  }

  private static Bucket newBucket(MemoryControlPlane control) {
    submit(control, new Command.CreateUser(1, new User("owner", "owner", false)));
    submit(control, new Command.CreateBucket(1, NAME, "owner", BucketSettings.PRIMARY));
    return requireNonNull(control.state().bucket(NAME));
  }

  private static void submit(MemoryControlPlane control, Command command) {
    assertThat(control.submit(command).toCompletableFuture().join())
        .isInstanceOf(CommandOutcome.Applied.class);
  }

  void change(BucketChange change) {
    submit(control, new Command.ConfigureBucket(1, NAME, bucket.id(), change));
  }

  /** What the target asks before each put and delete, at which something else may happen. */
  private Versioning versioningOfAWrite() {
    Runnable first = beforeNextWrite;
    beforeNextWrite = () -> {};
    first.run();
    return requireNonNull(control.state().bucket(NAME)).configuration().versioning();
  }

  /** The target, with its requests noted. */
  private ObjectTarget listening(ObjectTarget to) {
    return (ObjectTarget)
        Proxy.newProxyInstance(
            ObjectTarget.class.getClassLoader(),
            new Class<?>[] {ObjectTarget.class},
            (proxy, method, arguments) -> {
              asked.add((TargetRequest<?>) arguments[0]);
              return method.invoke(to, arguments);
            });
  }

  private ClusterView view() {
    return new ClusterView() {
      @Override
      public long mapEpoch() {
        return 0;
      }

      @Override
      public long settingsVersion() {
        return control.state().version();
      }

      @Override
      public @Nullable Bucket bucket(BucketId id) {
        return null;
      }

      @Override
      public boolean isDeleted(BucketId id) {
        return false;
      }

      @Override
      public Optional<Failure> refusal() {
        return refusal;
      }

      @Override
      public CompletionStage<Boolean> refresh() {
        return control.refresh();
      }
    };
  }

  private final class ControlPlaneThatMayBeAway implements ControlPlane {
    @Override
    public ControlState state() {
      return control.state();
    }

    @Override
    public CompletionStage<Boolean> refresh() {
      return completedFuture(reachable);
    }

    @Override
    public Optional<String> away() {
      return reachable ? Optional.empty() : Optional.of("the control node is silent");
    }

    @Override
    public CompletionStage<CommandOutcome> submit(Command command) {
      return control.submit(command);
    }

    @Override
    public Watch watch(Consumer<ControlState> listener) {
      return control.watch(listener);
    }
  }

  @AfterEach
  void close() {
    lifecycle.close();
  }

  void rules(LifecycleRule... rules) {
    change(new BucketChange.SetLifecycle(List.of(rules)));
  }

  static LifecycleRule expiring(Filter filter, Expiration expiration) {
    return new LifecycleRule(
        "expiring",
        true,
        filter,
        Optional.of(expiration),
        OptionalInt.empty(),
        OptionalInt.empty(),
        OptionalInt.empty());
  }

  static LifecycleRule ofNoncurrent(OptionalInt days, OptionalInt newer) {
    return new LifecycleRule(
        "noncurrent", true, Filter.ALL, Optional.empty(), days, newer, OptionalInt.empty());
  }

  void versioning(Versioning versioning) {
    change(new BucketChange.SetVersioning(versioning));
  }

  void days(int days) {
    now = now.plus(Duration.ofDays(days));
  }

  void put(String key) {
    put(key, Map.of(), "x");
  }

  void put(String key, Map<String, String> tags, String content) {
    success(
        target.call(
            new TargetRequest.Put(
                scope,
                ObjectKey.of(key),
                new ObjectAttributes(Map.of(), Map.of(), tags),
                Set.of(),
                Preconditions.NONE),
            TestBody.of(content.getBytes(UTF_8))));
  }

  /** Protects the newest version until the hold is lifted. */
  void hold(String key, boolean on) {
    success(
        target.call(
            new TargetRequest.SetLock(
                scope, ObjectKey.of(key), Optional.empty(), new ObjectLock.Change.Hold(on))));
  }

  void delete(String key) {
    success(
        target.call(
            new TargetRequest.Delete(
                scope, ObjectKey.of(key), Optional.empty(), Preconditions.NONE)));
  }

  /** Removes the current version of a key, so that the one before is current again. */
  void removeCurrent(String key) {
    VersionEntry current =
        list().stream()
            .filter(version -> version.latest() && version.key().text().equals(key))
            .findFirst()
            .orElseThrow();
    success(
        target.call(
            new TargetRequest.Delete(
                scope, current.key(), Optional.of(current.versionText()), Preconditions.NONE)));
  }

  void createUpload(String key) {
    success(
        target.call(
            new TargetRequest.CreateUpload(
                scope,
                ObjectKey.of(key),
                ObjectAttributes.NONE,
                Optional.empty(),
                Optional.empty())));
  }

  List<VersionEntry> list() {
    VersionPage page =
        success(target.call(new ListRequest.ListVersions(scope, "", "", "", "", 1000)));
    return page.entries().stream().map(VersionEntry.class::cast).toList();
  }

  List<String> versions() {
    return list().stream()
        .map(version -> version.key().text() + (version.deleteMarker() ? " deleted" : ""))
        .toList();
  }

  List<Long> sizes() {
    return list().stream().map(VersionEntry::sizeBytes).toList();
  }

  List<String> uploads() {
    UploadPage page =
        success(target.call(new ListRequest.ListUploads(scope, "", "", "", "", 1000)));
    return page.entries().stream().map(entry -> entry.key().text()).toList();
  }

  static <T> T success(CompletionStage<Outcome<T>> stage) {
    return switch (stage.toCompletableFuture().join()) {
      case Outcome.Success<T>(T value) -> value;
      case Outcome.Failed<T> failed -> throw new AssertionError(failed.failure().message());
    };
  }
}
