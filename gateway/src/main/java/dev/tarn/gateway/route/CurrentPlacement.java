package dev.tarn.gateway.route;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.CurrentMap;
import dev.tarn.cluster.map.Placement;
import org.jspecify.annotations.Nullable;

/** The placement under the newest map, made once for each map. For use by many threads. */
final class CurrentPlacement {
  private final CurrentMap map;
  private volatile @Nullable Placement placement;

  CurrentPlacement(CurrentMap map) {
    this.map = requireNonNull(map, "map is null");
  }

  /** Null as long as there is no map. */
  @Nullable Placement get() {
    Placement known = placement;
    ClusterMap current = map.get().orElse(null);
    if (current == null || (known != null && known.map().epoch() == current.epoch())) {
      return known;
    }
    Placement newer = new Placement(current);
    placement = newer;
    return newer;
  }
}
