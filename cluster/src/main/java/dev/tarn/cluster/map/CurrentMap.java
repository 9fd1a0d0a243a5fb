package dev.tarn.cluster.map;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The newest cluster map that this node has seen. Maps may arrive in any order and more than once;
 * the epoch only rises, and no epoch ever means two things. Safe for use by many threads.
 */
public final class CurrentMap {
  private final AtomicReference<Optional<ClusterMap>> map;

  /** Starts without a map: the cluster has none yet, or none has arrived. */
  public CurrentMap() {
    map = new AtomicReference<>(Optional.empty());
  }

  /** Starts with this map. */
  public CurrentMap(ClusterMap first) {
    map = new AtomicReference<>(Optional.of(requireNonNull(first, "first is null")));
  }

  /** The newest map; empty before the first. Never empty again. */
  public Optional<ClusterMap> get() {
    return map.get();
  }

  /** The epoch of the newest map; 0 before the first. */
  public long epoch() {
    return map.get().map(ClusterMap::epoch).orElse(0L);
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
    Optional<ClusterMap> newest = Optional.of(offered);
    while (true) {
      Optional<ClusterMap> present = map.get();
      if (present.isPresent() && !isNewer(offered, present.orElseThrow())) {
        return false;
      }
      if (map.compareAndSet(present, newest)) {
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
