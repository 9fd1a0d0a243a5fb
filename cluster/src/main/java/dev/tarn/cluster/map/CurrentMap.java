package dev.tarn.cluster.map;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The newest cluster map that this node has seen, and its placement. Maps may arrive in any order
 * and more than once; the epoch only rises, and an epoch names one map. Safe for use by many
 * threads.
 */
public final class CurrentMap {
  private final AtomicReference<Optional<Placement>> placement;

  /** Starts without a map: the cluster has none yet, or none has arrived. */
  public CurrentMap() {
    placement = new AtomicReference<>(Optional.empty());
  }

  /** Starts with this map. */
  public CurrentMap(ClusterMap first) {
    placement =
        new AtomicReference<>(Optional.of(new Placement(requireNonNull(first, "first is null"))));
  }

  /** The newest map; empty before the first. Never empty again. */
  public Optional<ClusterMap> get() {
    return placement.get().map(Placement::map);
  }

  /** The placement under the newest map; empty before the first. Allocates nothing. */
  public Optional<Placement> placement() {
    return placement.get();
  }

  /** The epoch of the newest map; 0 before the first. */
  public long epoch() {
    return get().map(ClusterMap::epoch).orElse(0L);
  }

  /**
   * Takes a map that arrived: a newer one replaces the present one, an older one or the same again
   * changes nothing.
   *
   * @return whether it is the present map now and was not before
   * @throws IllegalArgumentException if it has the present epoch and other content: two authors
   *     have made maps, and objects would be placed in two ways
   */
  public boolean offer(ClusterMap offered) {
    Optional<Placement> newest = Optional.of(new Placement(offered));
    while (true) {
      Optional<Placement> present = placement.get();
      if (present.isPresent() && !isNewer(offered, present.orElseThrow().map())) {
        return false;
      }
      if (placement.compareAndSet(present, newest)) {
        return true;
      }
    }
  }

  private static boolean isNewer(ClusterMap offered, ClusterMap present) {
    if (offered.epoch() == present.epoch() && !offered.equals(present)) {
      throw new IllegalArgumentException(
          "refused another cluster map of epoch " + present.epoch() + ": epochs name one map");
    }
    return offered.epoch() > present.epoch();
  }
}
