package dev.tarn.targetnode.lifecycle;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.targetnode.lifecycle.LifecycleMeters.Deed;
import dev.tarn.targetnode.membership.ClusterView;
import dev.tarn.targetnode.upkeep.Job;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the lifecycle rules of all buckets to the objects of a target, round after round. Skips
 * buckets with a backend: the backend expires its own objects.
 *
 * <p>A deletion by an outdated rule cannot be undone. Nothing is therefore expired while this
 * target cannot follow the control plane or serves no objects. A walk ends as soon as the rules
 * that it began with change.
 */
public final class Lifecycle implements Job, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Lifecycle.class);
  private static final long REFRESH_SECONDS_MAX = 10;
  private static final Duration HINDERED_PAUSE = Duration.ofMinutes(1);

  private final ObjectTarget target;
  private final ControlPlane control;
  private final ClusterView view;
  private final InstantSource clock;
  private final LifecycleMeters meters;
  private final Duration period;
  private final CompletableFuture<Boolean> closing = new CompletableFuture<>();
  private final Queue<BucketId> left = new ArrayDeque<>();
  private boolean hindered;
  private boolean whole;

  /**
   * Does nothing before the first {@link #step}.
   *
   * @param target the objects of this node only
   * @param control has the buckets and their rules
   * @param view the map under which the target is called, and whether it serves at all
   * @param period the pause between two rounds
   */
  public Lifecycle(
      ObjectTarget target,
      ControlPlane control,
      ClusterView view,
      InstantSource clock,
      Duration period,
      MeterRegistry registry) {
    this.target = requireNonNull(target, "target is null");
    this.control = requireNonNull(control, "control is null");
    this.view = requireNonNull(view, "view is null");
    this.clock = requireNonNull(clock, "clock is null");
    this.period = requireNonNull(period, "period is null");
    this.meters = new LifecycleMeters(registry);
  }

  @Override
  public String name() {
    return "round of lifecycle rules";
  }

  /** The period; shorter after a round that could not begin. */
  @Override
  public Duration interval() {
    return hindered && period.compareTo(HINDERED_PAUSE) > 0 ? HINDERED_PAUSE : period;
  }

  /** Begins a round, or goes through one of its buckets. */
  @Override
  public boolean step() {
    if (left.isEmpty()) {
      begin();
    } else {
      Bucket bucket = control.state().bucket(left.remove());
      if (bucket != null && hasRulesForUs(bucket)) {
        whole &= !closing.isDone() && walk(bucket);
      }
    }
    if (left.isEmpty() && whole && !hindered && !closing.isDone()) {
      meters.count(Deed.ROUND);
    }
    return !left.isEmpty();
  }

  private void begin() {
    Optional<String> hindrance =
        isUpToDate() ? hindrance() : Optional.of("the control plane is unreachable");
    List<BucketId> buckets =
        control.state().buckets().stream()
            .filter(Lifecycle::hasRulesForUs)
            .map(Bucket::id)
            .toList();
    whole = true;
    hindered = hindrance.isPresent();
    if (!hindered) {
      left.addAll(buckets);
    } else if (!buckets.isEmpty() && !closing.isDone()) {
      meters.count(Deed.FAILURE);
      LOG.warn(
          "Lifecycle rules of {} buckets were not applied: {}; the next round retries",
          buckets.size(),
          hindrance.orElseThrow());
    }
  }

  private boolean isUpToDate() {
    CompletableFuture<Boolean> asked = new CompletableFuture<>();
    control
        .refresh()
        .whenComplete((upToDate, failure) -> asked.complete(failure == null && upToDate));
    return asked
        .completeOnTimeout(false, REFRESH_SECONDS_MAX, TimeUnit.SECONDS)
        .applyToEither(closing, Function.identity())
        .join();
  }

  /** Why nothing may be expired now; empty if it may. */
  private Optional<String> hindrance() {
    return control.away().or(() -> view.refusal().map(Failure::message));
  }

  private static boolean hasRulesForUs(Bucket bucket) {
    return isOurs(bucket) && !bucket.configuration().lifecycle().isEmpty();
  }

  private static boolean isOurs(Bucket bucket) {
    return bucket.settings().backend().isEmpty();
  }

  private boolean walk(Bucket bucket) {
    try {
      new BucketWalk(target, bucket, clock.millis(), meters, () -> stands(bucket)).run();
      return stands(bucket);
    } catch (BucketWalk.BrokenOffException | RuntimeException e) {
      meters.count(Deed.FAILURE);
      LOG.warn(
          "Lifecycle rules of bucket {} were not all applied: {}; the next round retries",
          bucket.name(),
          Failure.reasonOf(e));
      return false;
    }
  }

  /** Whether the bucket's rules are unchanged and may be applied now. */
  private boolean stands(Bucket bucket) {
    if (closing.isDone() || hindrance().isPresent()) {
      return false;
    }
    Bucket now = control.state().bucket(bucket.id());
    return now != null
        && (now.settingsVersion() == bucket.settingsVersion()
            || (isOurs(now)
                && now.configuration().versioning() == bucket.configuration().versioning()
                && now.configuration().lifecycle().equals(bucket.configuration().lifecycle())));
  }

  LifecycleMeters meters() {
    return meters;
  }

  /** Lets a step in progress end after its present calls. */
  @Override
  public void close() {
    closing.complete(false);
  }
}
