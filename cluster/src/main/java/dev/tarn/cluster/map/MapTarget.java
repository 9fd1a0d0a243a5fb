package dev.tarn.cluster.map;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * A target in the cluster map.
 *
 * @param id unique in the map
 * @param addresses of its internal port, the preferred one first; empty for a target that is called
 *     only inside its own process
 * @param state whether it is in service
 * @param weight its share of all objects, in proportion to the other targets' weights; usually its
 *     capacity in GiB; 1 to {@link #WEIGHT_MAX}
 * @param disks its disks; may be empty if only the target needs to know them
 */
public record MapTarget(
    TargetId id, List<TargetAddress> addresses, MemberState state, long weight, List<MapDisk> disks)
    implements Comparable<MapTarget> {
  /** The greatest weight. Below this limit, all sums of weights are exact in a double. */
  public static final long WEIGHT_MAX = 1L << 40;

  public MapTarget {
    requireNonNull(id, "id is null");
    addresses = List.copyOf(requireNonNull(addresses, "addresses is null"));
    requireNonNull(state, "state is null");
    checkWeight("target " + id, weight);
    disks = List.copyOf(requireNonNull(disks, "disks is null"));
  }

  static void checkWeight(String what, long weight) {
    if (weight < 1 || weight > WEIGHT_MAX) {
      throw new IllegalArgumentException(
          "weight of " + what + " is " + weight + ", must be 1 to " + WEIGHT_MAX);
    }
  }

  @Override
  public int compareTo(MapTarget other) {
    return id.compareTo(other.id);
  }
}
