package dev.tarn.gateway.s3.bucket;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Evicted;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.OutdatedKey;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.gateway.s3.operation.Outcomes;
import java.util.List;

/** Drops cached bytes of buckets with a backend. Nothing is deleted at the backend. */
public record BucketEviction(ObjectTarget target) {
  /** The router behind the gateway sets the epoch of the slot for each call. */
  private static final long SINCE_BY_ROUTER = 0;

  public BucketEviction {
    requireNonNull(target, "target is null");
  }

  /**
   * Drops up to 1,000 objects on each disk; blocks.
   *
   * @param prefix of the keys; empty for all
   * @param after where the step before this one stopped; empty for the first step
   * @throws dev.tarn.gateway.error.S3Exception if the bucket has no backend, or a target fails
   */
  public Evicted step(Bucket bucket, String prefix, String after, CallContext context) {
    return Outcomes.await(
        target.call(
            new ListRequest.Evict(scope(bucket, context), prefix, after, TargetRequest.PAGE_MAX)));
  }

  /**
   * Drops these objects, but those that have the ETag of now; blocks.
   *
   * @param keys at most {@link TargetRequest#PAGE_MAX}
   * @throws dev.tarn.gateway.error.S3Exception if the bucket has no backend, or a target fails
   */
  public Evicted outdated(Bucket bucket, List<OutdatedKey> keys, CallContext context) {
    return Outcomes.await(target.call(ListRequest.Evict.ofKeys(scope(bucket, context), keys)));
  }

  private static CallScope scope(Bucket bucket, CallContext context) {
    return new CallScope(bucket.id(), bucket.settingsVersion(), SINCE_BY_ROUTER, context);
  }
}
