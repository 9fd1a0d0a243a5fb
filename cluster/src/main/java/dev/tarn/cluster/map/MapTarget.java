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
 * @param disks its disks; at least one
 * @param stateEpoch the map epoch in which it got its state; 0 before the first change
 * @param stateMs when it got its state, in milliseconds since 1970; 0 before the first change
 */
public record MapTarget(
    TargetId id,
    List<TargetAddress> addresses,
    MemberState state,
    long weight,
    List<MapDisk> disks,
    long stateEpoch,
    long stateMs)
    implements Comparable<MapTarget> {
  /** The greatest weight. Below this limit, all sums of weights are exact in a double. */
  public static final long WEIGHT_MAX = 1L << 40;

  public MapTarget {
    requireNonNull(id, "id is null");
    addresses = List.copyOf(requireNonNull(addresses, "addresses is null"));
    requireNonNull(state, "state is null");
    checkWeight("target " + id, weight);
    disks = List.copyOf(requireNonNull(disks, "disks is null"));
    if (disks.isEmpty()) {
      throw new IllegalArgumentException("target " + id + " has no disks, must have at least one");
    }
  }

  /** A target whose state has never changed. */
  public MapTarget(
      TargetId id,
      List<TargetAddress> addresses,
      MemberState state,
      long weight,
      List<MapDisk> disks) {
    this(id, addresses, state, weight, disks, 0, 0);
  }

  /** Whether the target serves the slots that it has. */
  public boolean serves() {
    return state == MemberState.IN_SERVICE;
  }

  /** The same target at other addresses. */
  public MapTarget at(List<TargetAddress> others) {
    return new MapTarget(id, others, state, weight, disks, stateEpoch, stateMs);
  }

  MapTarget with(MemberState newer, long epoch, long timeMs) {
    return new MapTarget(id, addresses, newer, weight, disks, epoch, timeMs);
  }

  /** A target in this process, in service, whose disks have the same weight. */
  public static MapTarget ofEqualDisks(TargetId id, List<DiskId> disks) {
    return new MapTarget(
        id,
        List.of(),
        MemberState.IN_SERVICE,
        1,
        disks.stream().map(disk -> new MapDisk(disk, MemberState.IN_SERVICE, 1)).toList());
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
