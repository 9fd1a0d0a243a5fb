package dev.tarn.gateway.s3.bucket;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Evicted;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.gateway.s3.operation.Outcomes;

/** Drops cached bytes of buckets with a backend. Nothing is deleted at the backend. */
public record BucketEviction(ObjectTarget target) {
  /** The router behind the gateway sets the map epoch of each call. */
  private static final long EPOCH_BY_ROUTER = 0;

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
    CallScope scope =
        new CallScope(bucket.id(), bucket.settingsVersion(), EPOCH_BY_ROUTER, context);
    return Outcomes.await(
        target.call(new ListRequest.Evict(scope, prefix, after, TargetRequest.PAGE_MAX)));
  }
}
