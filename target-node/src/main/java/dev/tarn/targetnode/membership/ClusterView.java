package dev.tarn.targetnode.membership;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.SlotHolder;
import dev.tarn.cluster.map.SlotTable;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.Failure;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A target's view of the cluster. Every call reads it, so only {@link #refresh} may wait. */
public interface ClusterView {
  /** The epoch of the newest cluster map; 0 if there is none. */
  long mapEpoch();

  /** The slots of the newest map; null if this target has every key. */
  default @Nullable SlotTable slots() {
    return null;
  }

  /** Whether this target is the holder of a slot. */
  default boolean isOwn(SlotHolder holder) {
    return true;
  }

  /** The state version up to which this target has all changes of buckets. */
  long settingsVersion();

  /** A bucket; null if this target does not know it. */
  @Nullable Bucket bucket(BucketId id);

  /** Whether a bucket has a backend. */
  default boolean isCached(BucketId id) {
    Bucket bucket = bucket(id);
    return bucket != null && bucket.isCached();
  }

  /**
   * The share of all objects that a disk of this target has, 0 to 1; empty if there is no map, or
   * the map does not list the disk.
   */
  default OptionalDouble shareOf(DiskId disk) {
    return OptionalDouble.empty();
  }

  /** Whether a bucket existed and was deleted. Once true, it stays true. */
  boolean isDeleted(BucketId id);

  /** Why this target serves no object at all; empty if it serves. */
  Optional<Failure> refusal();

  /**
   * Brings the view up to every change that was acknowledged anywhere before this call.
   *
   * @return false if that was not possible
   */
  CompletionStage<Boolean> refresh();

  /**
   * The view of a target that gets buckets from the control plane and the map epoch from a
   * supplier.
   */
  static ClusterView of(ControlPlane control, LongSupplier mapEpoch) {
    requireNonNull(control, "control is null");
    requireNonNull(mapEpoch, "mapEpoch is null");
    return new ClusterView() {
      @Override
      public long mapEpoch() {
        return mapEpoch.getAsLong();
      }

      @Override
      public long settingsVersion() {
        return control.state().version();
      }

      @Override
      public @Nullable Bucket bucket(BucketId id) {
        return control.state().bucket(id);
      }

      @Override
      public boolean isDeleted(BucketId id) {
        return control.state().isDeleted(id);
      }

      @Override
      public Optional<Failure> refusal() {
        return Optional.empty();
      }

      @Override
      public CompletionStage<Boolean> refresh() {
        return completedFuture(true);
      }
    };
  }
}
