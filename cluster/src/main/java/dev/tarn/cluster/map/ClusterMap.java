package dev.tarn.cluster.map;

import static java.util.Objects.requireNonNull;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The members of the cluster at one map epoch. Two nodes with the same map place every object the
 * same way. Immutable.
 *
 * @param epoch positive; a later map has a greater one
 * @param targets in the order of their ids; at least one
 */
public record ClusterMap(long epoch, List<MapTarget> targets) {
  /** The greatest number of targets. */
  public static final int TARGETS_MAX = 10_000;

  public ClusterMap {
    if (epoch < 1) {
      throw new IllegalArgumentException(
          "epoch of a cluster map is " + epoch + ", must be positive");
    }
    targets = requireNonNull(targets, "targets is null").stream().sorted().toList();
    if (targets.isEmpty() || targets.size() > TARGETS_MAX) {
      throw new IllegalArgumentException(
          "cluster map has " + targets.size() + " targets, must have 1 to " + TARGETS_MAX);
    }
    checkUnique(targets);
  }

  private static void checkUnique(List<MapTarget> targets) {
    Set<TargetId> targetIds = new HashSet<>();
    Set<DiskId> diskIds = new HashSet<>();
    for (MapTarget target : targets) {
      if (!targetIds.add(target.id())) {
        throw new IllegalArgumentException("cluster map names target " + target.id() + " twice");
      }
      for (MapDisk disk : target.disks()) {
        if (!diskIds.add(disk.id())) {
          throw new IllegalArgumentException("cluster map names disk " + disk.id() + " twice");
        }
      }
    }
  }

  /** The first map of a cluster. */
  public static ClusterMap first(List<MapTarget> targets) {
    return new ClusterMap(1, targets);
  }

  /** The next map, with these targets. */
  public ClusterMap successor(List<MapTarget> newTargets) {
    return new ClusterMap(epoch + 1, newTargets);
  }

  /** The share of all objects that a disk has by the weights, 0 to 1; 0 if no target has it. */
  public double shareOf(DiskId disk) {
    double all = targets.stream().mapToLong(MapTarget::weight).sum();
    for (MapTarget target : targets) {
      double ofTarget = target.disks().stream().mapToLong(MapDisk::weight).sum();
      for (MapDisk candidate : target.disks()) {
        if (candidate.id().equals(disk)) {
          return target.weight() / all * (candidate.weight() / ofTarget);
        }
      }
    }
    return 0;
  }

  /** The target of this id, if it is a member. */
  public Optional<MapTarget> target(TargetId id) {
    return targets.stream().filter(target -> target.id().equals(id)).findFirst();
  }
}
