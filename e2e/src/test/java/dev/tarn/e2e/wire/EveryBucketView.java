package dev.tarn.e2e.wire;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketConfiguration;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.Failure;
import dev.tarn.targetnode.membership.ClusterView;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/** A view in which every bucket exists, with settings of version 1. */
record EveryBucketView(LongSupplier epoch) implements ClusterView {
  @Override
  public long mapEpoch() {
    return epoch.getAsLong();
  }

  @Override
  public long settingsVersion() {
    return 1;
  }

  @Override
  public Bucket bucket(BucketId id) {
    return new Bucket(
        id, "bucket", "owner", 0, 1, BucketSettings.PRIMARY, BucketConfiguration.NONE);
  }

  @Override
  public boolean isDeleted(BucketId id) {
    return false;
  }

  @Override
  public Optional<Failure> refusal() {
    return Optional.empty();
  }

  @Override
  public CompletionStage<Boolean> refresh() {
    return completedFuture(true);
  }
}
