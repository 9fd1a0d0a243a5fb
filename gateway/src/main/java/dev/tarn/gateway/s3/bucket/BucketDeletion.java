package dev.tarn.gateway.s3.bucket;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.VersionPage;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.s3.operation.Outcomes;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Deletes buckets without losing a write that was acknowledged.
 *
 * <ol>
 *   <li>A first look refuses most buckets that are not empty, without any effect on writers.
 *   <li>The control plane marks the bucket as being deleted. A target that knows the mark refuses
 *       changes of the bucket.
 *   <li>A second look names the state version of the mark, so each target adopts that version
 *       before it answers. It also waits for the commits that it has begun. The look therefore
 *       shows every write that was acknowledged, and none is acknowledged later.
 *   <li>The control plane removes the bucket, if it still has this mark. Otherwise the mark is
 *       removed.
 * </ol>
 *
 * A gateway that stops in between leaves the mark. Another {@link #delete} replaces it; a gateway
 * that is asked for the bucket removes it when it is old.
 */
public final class BucketDeletion {
  /** Longer than a deletion takes, plus the difference allowed between clocks of members. */
  private static final long ABANDONED_AFTER_MS = 120_000;

  /** The router behind the gateway sets the epoch of the slot for each call. */
  private static final long SINCE_BY_ROUTER = 0;

  private final ControlPlane control;
  private final ObjectTarget target;
  private final InstantSource clock;
  private final AtomicBoolean keeping = new AtomicBoolean();

  /** Deletes buckets of this control plane, whose objects are at this target. */
  public BucketDeletion(ControlPlane control, ObjectTarget target, InstantSource clock) {
    this.control = requireNonNull(control, "control is null");
    this.target = requireNonNull(target, "target is null");
    this.clock = requireNonNull(clock, "clock is null");
  }

  /**
   * Deletes a bucket; blocks. Targets remove open uploads and cached objects later. A bucket with a
   * backend is only removed here, and the objects at the backend are not checked.
   *
   * @throws S3Exception if the bucket has a version of any key, or if it stays for another reason
   */
  public void delete(Bucket bucket, CallContext context) {
    if (bucket.settings().backend().isPresent()) {
      remove(bucket, 0);
      return;
    }
    requireNoKeys(bucket, scope(bucket, bucket.settingsVersion(), context));
    long deletion = begin(bucket);
    try {
      requireNoKeys(bucket, scope(bucket, deletion, context));
      remove(bucket, deletion);
    } catch (RuntimeException e) {
      keep(bucket, deletion);
      throw e;
    }
  }

  /**
   * Lists at most one version of a bucket; blocks.
   *
   * @throws S3Exception if the listing fails
   */
  public boolean isEmpty(Bucket bucket, CallContext context) {
    return isEmpty(scope(bucket, bucket.settingsVersion(), context));
  }

  /** Removes the mark of a deletion that began long ago. Does not wait. */
  public void keepIfAbandoned(Bucket bucket) {
    Bucket.Deletion deletion = bucket.deletion().orElse(null);
    if (deletion != null
        && clock.millis() - deletion.begunMs() > ABANDONED_AFTER_MS
        && keeping.compareAndSet(false, true)) {
      control
          .submit(keepCommand(bucket, deletion.version()))
          .whenComplete((outcome, failure) -> keeping.set(false));
    }
  }

  private static CallScope scope(Bucket bucket, long settingsVersion, CallContext context) {
    return new CallScope(bucket.id(), settingsVersion, SINCE_BY_ROUTER, context);
  }

  private boolean isEmpty(CallScope scope) {
    VersionPage page =
        Outcomes.await(target.call(new ListRequest.ListVersions(scope, "", "", "", "", 1)));
    return page.entries().isEmpty();
  }

  private void requireNoKeys(Bucket bucket, CallScope scope) {
    if (!isEmpty(scope)) {
      throw S3Exception.of(S3ErrorCode.BUCKET_NOT_EMPTY).with("BucketName", bucket.name());
    }
  }

  /** Marks the bucket and returns the version of the mark. */
  private long begin(Bucket bucket) {
    return BucketOperations.requireApplied(
        submit(new Command.BeginDeletion(clock.millis(), bucket.name(), bucket.id())));
  }

  private void remove(Bucket bucket, long deletion) {
    BucketOperations.requireApplied(
        submit(
            new Command.DeleteBucket(
                clock.millis(), bucket.name(), Optional.of(bucket.id()), deletion)));
  }

  /** Removes the mark. If that fails, the mark is removed when it is old. */
  private void keep(Bucket bucket, long deletion) {
    CommandOutcome _ = submit(keepCommand(bucket, deletion));
  }

  private Command keepCommand(Bucket bucket, long deletion) {
    return new Command.KeepBucket(clock.millis(), bucket.name(), bucket.id(), deletion);
  }

  private CommandOutcome submit(Command command) {
    return control.submit(command).toCompletableFuture().join();
  }
}
