package dev.tarn.targetnode.lifecycle;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.target.ObjectTarget;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the lifecycle rules of all buckets on what a target holds, round after round. A
 * bucket with a backend is left alone: what expires there is the backend's to say.
 */
public final class Lifecycle implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Lifecycle.class);

  private final ObjectTarget target;
  private final Supplier<Collection<Bucket>> buckets;
  private final LongSupplier mapEpoch;
  private final InstantSource clock;
  private final LifecycleFigures figures = new LifecycleFigures();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("tarn-lifecycle").daemon().factory());
  private volatile boolean closing;

  /**
   * Waits for {@link #start} or {@link #round}.
   *
   * @param target what this node holds, and nothing else
   * @param buckets there are, as far as is known
   * @param mapEpoch under which the target is called
   */
  public Lifecycle(
      ObjectTarget target,
      Supplier<Collection<Bucket>> buckets,
      LongSupplier mapEpoch,
      InstantSource clock) {
    this.target = requireNonNull(target, "target is null");
    this.buckets = requireNonNull(buckets, "buckets is null");
    this.mapEpoch = requireNonNull(mapEpoch, "mapEpoch is null");
    this.clock = requireNonNull(clock, "clock is null");
  }

  /** Begins rounds, each so long after the one before has ended. */
  public Lifecycle start(Duration period) {
    // A round catches what goes wrong in it.
    var _ =
        thread.scheduleWithFixedDelay(
            this::round, period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
    return this;
  }

  /** Goes through all buckets once; blocks. */
  public void round() {
    boolean whole = true;
    for (Bucket bucket : List.copyOf(buckets.get())) {
      if (closing) {
        return;
      }
      boolean ours = bucket.settings().backend().isEmpty();
      if (ours && !bucket.configuration().lifecycle().isEmpty()) {
        whole &= walk(bucket);
      }
    }
    if (whole && !closing) {
      figures.countRound();
    }
  }

  private boolean walk(Bucket bucket) {
    try {
      new BucketWalk(target, bucket, mapEpoch.getAsLong(), clock.millis(), figures, () -> closing)
          .run();
      return true;
    } catch (BucketWalk.BrokenOffException | RuntimeException e) {
      figures.countFailure();
      LOG.warn(
          "Lifecycle rules of bucket {} were not all carried out ({}); the next round tries again",
          bucket.name(),
          e.toString());
      return false;
    }
  }

  /** What has been done. */
  public LifecycleFigures figures() {
    return figures;
  }

  /** Ends after the calls under way. */
  @Override
  public void close() {
    closing = true;
    thread.shutdown();
    try {
      while (!thread.awaitTermination(1, TimeUnit.MINUTES)) {
        LOG.info("Waiting for the lifecycle of {} buckets", buckets.get().size());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
