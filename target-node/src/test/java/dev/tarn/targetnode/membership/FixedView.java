package dev.tarn.targetnode.membership;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketConfiguration;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.Failure;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A view that never changes, in which every bucket exists. */
public record FixedView(
    long mapEpoch,
    long settingsVersion,
    Function<BucketId, Bucket> bucketOfId,
    Optional<Failure> refusal)
    implements ClusterView {
  /** A view of a target that serves. */
  public FixedView(long mapEpoch, long settingsVersion, Function<BucketId, Bucket> bucketOfId) {
    this(mapEpoch, settingsVersion, bucketOfId, Optional.empty());
  }

  /** A bucket with these settings. */
  public static Bucket bucket(
      BucketId id, BucketSettings settings, Versioning versioning, long settingsVersion) {
    return bucket(
        id, settings, BucketConfiguration.NONE.withVersioning(versioning), settingsVersion);
  }

  /** A bucket with these settings and this configuration. */
  public static Bucket bucket(
      BucketId id,
      BucketSettings settings,
      BucketConfiguration configuration,
      long settingsVersion) {
    return new Bucket(id, "bucket", "owner", 0, settingsVersion, settings, configuration);
  }

  @Override
  public Bucket bucket(BucketId id) {
    return bucketOfId.apply(id);
  }

  @Override
  public boolean isDeleted(BucketId id) {
    return false;
  }

  @Override
  public CompletionStage<Boolean> refresh() {
    return completedFuture(true);
  }
}
