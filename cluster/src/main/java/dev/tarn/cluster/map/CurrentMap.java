package dev.tarn.cluster.map;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The newest cluster map that this node has seen, and its placement. Maps may arrive in any order
 * and more than once. The epoch only increases, and an epoch has one map. Safe for use by many
 * threads.
 */
public final class CurrentMap {
  private final AtomicReference<Optional<Placement>> placement;

  /** Starts without a map. */
  public CurrentMap() {
    placement = new AtomicReference<>(Optional.empty());
  }

  /** Starts with this map. */
  public CurrentMap(ClusterMap first) {
    placement =
        new AtomicReference<>(Optional.of(new Placement(requireNonNull(first, "first is null"))));
  }

  /** The newest map; empty before the first one, never empty again. */
  public Optional<ClusterMap> get() {
    return placement.get().map(Placement::map);
  }

  /** The placement under the newest map; empty before the first one. Allocates nothing. */
  public Optional<Placement> placement() {
    return placement.get();
  }

  /** The epoch of the newest map; 0 before the first one. */
  public long epoch() {
    return get().map(ClusterMap::epoch).orElse(0L);
  }

  /**
   * Replaces the present map if this one is newer; does nothing for an older or the same map.
   *
   * @return whether it replaced the present map
   * @throws IllegalArgumentException if it has the present epoch and other content: objects would
   *     be placed in two ways
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
