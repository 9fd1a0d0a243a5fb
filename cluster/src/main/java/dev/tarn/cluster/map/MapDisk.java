package dev.tarn.cluster.map;

import static java.util.Objects.requireNonNull;

/**
 * A disk of a target.
 *
 * @param id unique in the whole map
 * @param state whether it is in service
 * @param weight its share of the target's objects, in proportion to the other disks' weights;
 *     usually its capacity in GiB; 1 to {@link MapTarget#WEIGHT_MAX}
 */
public record MapDisk(DiskId id, MemberState state, long weight) {
  public MapDisk {
    requireNonNull(id, "id is null");
    requireNonNull(state, "state is null");
    MapTarget.checkWeight("disk " + id, weight);
  }
}
