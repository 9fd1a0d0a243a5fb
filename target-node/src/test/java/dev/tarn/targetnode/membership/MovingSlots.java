package dev.tarn.targetnode.membership;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.SlotHolder;
import dev.tarn.cluster.map.SlotTable;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.Failure;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A view of a map that a test changes, in which every bucket exists.
 *
 * @param self the target whose view it is
 */
public record MovingSlots(TargetId self, Supplier<ClusterMap> map, Supplier<BucketSettings> buckets)
    implements ClusterView {
  @Override
  public long mapEpoch() {
    return map.get().epoch();
  }

  @Override
  public SlotTable slots() {
    return map.get().slots();
  }

  @Override
  public boolean isOwn(SlotHolder holder) {
    return holder.target().equals(self);
  }

  @Override
  public long settingsVersion() {
    return 0;
  }

  @Override
  public Bucket bucket(BucketId id) {
    return FixedView.bucket(id, buckets.get(), Versioning.OFF, 0);
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
