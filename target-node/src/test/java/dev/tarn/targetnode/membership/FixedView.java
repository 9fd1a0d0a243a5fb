package dev.tarn.targetnode.membership;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.Failure;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A view that never changes, in which every bucket exists. */
public record FixedView(
    long mapEpoch, long settingsVersion, Function<BucketId, BucketRules> rulesOfBucket)
    implements ClusterView {
  @Override
  public BucketRules rules(BucketId bucket) {
    return rulesOfBucket.apply(bucket);
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
