package dev.tarn.targetnode.lifecycle;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.targetnode.lifecycle.LifecycleMeters.Deed;
import dev.tarn.targetnode.membership.ClusterView;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
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
public final class Lifecycle implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Lifecycle.class);
  private static final long REFRESH_SECONDS_MAX = 10;
  private static final Duration HINDERED_PAUSE = Duration.ofMinutes(1);

  private final ObjectTarget target;
  private final ControlPlane control;
  private final ClusterView view;
  private final InstantSource clock;
  private final LifecycleMeters meters;
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(
          1, Thread.ofPlatform().name("tarn-lifecycle").daemon().factory());
  private final CompletableFuture<Boolean> closing = new CompletableFuture<>();

  /**
   * Does nothing before {@link #start} or {@link #round}.
   *
   * @param target the objects of this node only
   * @param control has the buckets and their rules
   * @param view the map under which the target is called, and whether it serves at all
   */
  public Lifecycle(
      ObjectTarget target,
      ControlPlane control,
      ClusterView view,
      InstantSource clock,
      MeterRegistry registry) {
    this.target = requireNonNull(target, "target is null");
    this.control = requireNonNull(control, "control is null");
    this.view = requireNonNull(view, "view is null");
    this.clock = requireNonNull(clock, "clock is null");
    this.meters = new LifecycleMeters(registry);
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /**
   * Runs a round now, and one {@code period} after the end of each; earlier after a round that
   * could not run.
   */
  public Lifecycle start(Duration period) {
    thread.execute(() -> roundAndNext(period));
    return this;
  }

  private void roundAndNext(Duration period) {
    Duration pause = period.compareTo(HINDERED_PAUSE) < 0 ? period : HINDERED_PAUSE;
    try {
      pause = round() ? period : pause;
    } finally {
      if (!closing.isDone()) {
        var _ =
            thread.schedule(() -> roundAndNext(period), pause.toMillis(), TimeUnit.MILLISECONDS);
      }
    }
  }

  /**
   * Goes through all buckets once; blocks.
   *
   * @return false if the round could not run because this target is cut off or serves nothing
   */
  public boolean round() {
    Optional<String> hindrance =
        isUpToDate() ? hindrance() : Optional.of("the control plane is unreachable");
    List<Bucket> buckets =
        control.state().buckets().stream().filter(Lifecycle::hasRulesForUs).toList();
    if (hindrance.isPresent()) {
      if (!buckets.isEmpty() && !closing.isDone()) {
        meters.count(Deed.FAILURE);
        LOG.warn(
            "Lifecycle rules of {} buckets were not applied: {}; the next round retries",
            buckets.size(),
            hindrance.orElseThrow());
      }
      return false;
    }
    boolean whole = true;
    for (Bucket listed : buckets) {
      Bucket bucket = control.state().bucket(listed.id());
      if (!closing.isDone() && bucket != null && hasRulesForUs(bucket)) {
        whole &= walk(bucket);
      }
    }
    if (whole && !closing.isDone()) {
      meters.count(Deed.ROUND);
    }
    return true;
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
      new BucketWalk(target, bucket, view.mapEpoch(), clock.millis(), meters, () -> stands(bucket))
          .run();
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

  /** Ends after the calls in progress. */
  @Override
  public void close() {
    closing.complete(false);
    thread.shutdown();
    try {
      while (!thread.awaitTermination(1, TimeUnit.MINUTES)) {
        LOG.info("Waiting for lifecycle deletions in progress");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
