package dev.tarn.cluster.map;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The newest cluster map that this node has seen. Maps may arrive in any order and more than once;
 * the epoch only rises, and no epoch ever means two things. Safe for use by many threads.
 */
public final class CurrentMap {
  private final AtomicReference<ClusterMap> map;

  /** Starts with this map. */
  public CurrentMap(ClusterMap first) {
    map = new AtomicReference<>(requireNonNull(first, "first is null"));
  }

  /** The newest map. */
  public ClusterMap get() {
    return map.get();
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
    while (true) {
      ClusterMap present = map.get();
      if (offered.epoch() < present.epoch()) {
        return false;
      }
      if (offered.epoch() == present.epoch()) {
        if (!offered.equals(present)) {
          throw new IllegalArgumentException(
              "refused another cluster map of epoch " + present.epoch() + ": epochs name one map");
        }
        return false;
      }
      if (map.compareAndSet(present, offered)) {
        return true;
      }
    }
  }
}
