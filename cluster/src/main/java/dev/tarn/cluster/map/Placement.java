package dev.tarn.cluster.map;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.map.Slot.Keys;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Looks up the target of a key by the slots of one cluster map. Immutable. */
public final class Placement {
  private final ClusterMap map;
  private final Place[] homes;
  private final Place[] owners;
  private final Place[] takers;
  private final List<MapTarget> homeTargets;

  /** The placement under this map. */
  public Placement(ClusterMap map) {
    this.map = requireNonNull(map, "map is null");
    Map<TargetId, MapTarget> byId = new HashMap<>();
    map.targets().forEach(target -> byId.put(target.id(), target));
    homes = places(byId, Keys.PRIMARY);
    owners = places(byId, Keys.CACHED);
    takers = places(byId, Keys.REVALIDATED);
    homeTargets = Arrays.stream(homes).map(Place::target).distinct().sorted().toList();
  }

  /**
   * Where a slot is.
   *
   * @param target in service or not
   * @param since the epoch in which it got the slot
   */
  public record Place(MapTarget target, long since) {}

  private Place[] places(Map<TargetId, MapTarget> byId, Keys keys) {
    Map<SlotHolder, Place> shared = new HashMap<>();
    return map.slots().all().stream()
        .map(slot -> slot.holder(keys))
        .map(holder ->
            shared.computeIfAbsent(
                holder,
                one ->
                    new Place(
                        requireNonNull(byId.get(one.target()), "the map has the target"),
                        one.since())))
        .toArray(Place[]::new);
  }

  /** The targets that have slots of primary data. */
  public List<MapTarget> homes() {
    return homeTargets;
  }

  public ClusterMap map() {
    return map;
  }

  /** Where a key is, if it is one of these keys of its slot. Allocates nothing. */
  public Place of(Keys keys, BucketId bucket, ObjectKey key) {
    Place[] places =
        switch (keys) {
          case PRIMARY -> homes;
          case CACHED -> owners;
          case REVALIDATED -> takers;
        };
    return places[Slot.of(bucket, key)];
  }
}
