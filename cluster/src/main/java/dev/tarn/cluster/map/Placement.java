package dev.tarn.cluster.map;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;

/**
 * Places the objects of one cluster map: {@link Rendezvous} hashing selects a target, then one of
 * its disks. Immutable and made once for each map.
 */
public final class Placement {
  private final ClusterMap map;
  private final Rendezvous<MapTarget> targets;

  /** The placement under this map. */
  public Placement(ClusterMap map) {
    this.map = requireNonNull(map, "map is null");
    this.targets = Rendezvous.amongTargets(map.targets());
  }

  public ClusterMap map() {
    return map;
  }

  /** The target that owns the object, in service or not. Allocates nothing. */
  public MapTarget owner(BucketId bucket, ObjectKey key) {
    return targets.winner(bucket, key);
  }
}
