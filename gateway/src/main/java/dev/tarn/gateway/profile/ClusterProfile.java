package dev.tarn.gateway.profile;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.BucketId;
import java.util.Optional;
import java.util.function.Function;

/**
 * The load that this process knows of: its own requests, and what its targets read of cached
 * buckets.
 *
 * @param own of this process
 * @param cached what the targets read of a cached bucket, or of all; may block
 */
public record ClusterProfile(IoProfile own, Function<Optional<BucketId>, TargetsTraffic> cached) {
  public ClusterProfile {
    requireNonNull(own, "own is null");
    requireNonNull(cached, "cached is null");
  }

  /** The load of a process that has no targets. */
  public static ClusterProfile of(IoProfile own) {
    return new ClusterProfile(own, bucket -> TargetsTraffic.NONE);
  }
}
