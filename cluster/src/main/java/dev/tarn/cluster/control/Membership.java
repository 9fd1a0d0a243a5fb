package dev.tarn.cluster.control;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import dev.tarn.cluster.control.CommandOutcome.Reason;
import dev.tarn.cluster.control.StateMachine.Transition;
import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MapDisk;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.TargetId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The rules of the state machine for targets and the cluster map. */
final class Membership {
  private Membership() {}

  static Transition apply(ControlState state, Command command) {
    if (command instanceof Command.NameCluster name) {
      return nameCluster(state, name);
    } else if (command instanceof Command.AnnounceTarget announce) {
      return announce(state, announce.target());
    } else if (command instanceof Command.ForgetTarget forget) {
      return forget(state, forget.target());
    } else if (command instanceof Command.SetMembers set) {
      return setMembers(state, set.members());
    } else if (command instanceof Command.Restore restore) {
      return restore(state, restore.newestVersion());
    }
    return MapChanges.apply(state, command);
  }

  private static Transition nameCluster(ControlState state, Command.NameCluster command) {
    if (state.clusterId().isPresent()) {
      return StateMachine.rejected(
          state,
          Reason.CLUSTER_HAS_AN_ID,
          "the cluster has the id " + state.clusterId().orElseThrow() + ", which never changes");
    }
    return StateMachine.applied(state, tables -> tables.withClusterId(command.clusterId()));
  }

  /**
   * Each lost command may have made a bucket or a map. Both counters therefore advance as far as
   * the version does.
   */
  private static Transition restore(ControlState state, long newestVersion) {
    if (newestVersion <= state.version()) {
      return StateMachine.rejected(
          state,
          Reason.NOTHING_CHANGES,
          "no member knows a newer state than that of version " + state.version());
    }
    long lost = newestVersion - state.version();
    ControlState after = new ControlState(newestVersion + 1, state.tables().skipping(lost));
    return new Transition(after, new CommandOutcome.Applied(after.version()));
  }

  private static Transition announce(ControlState state, AnnouncedTarget target) {
    if (target.equals(state.announced(target.id()))) {
      return StateMachine.rejected(
          state, Reason.NOTHING_CHANGES, "target " + target.id() + " has announced this before");
    }
    Optional<String> removed = removedBefore(state, target);
    if (removed.isPresent()) {
      return StateMachine.rejected(state, Reason.DISK_OF_REMOVED_TARGET, removed.orElseThrow());
    }
    Optional<String> claimed = claimedElsewhere(state, target);
    if (claimed.isPresent()) {
      return StateMachine.rejected(state, Reason.DISK_OF_ANOTHER_TARGET, claimed.orElseThrow());
    }
    if (!state.buckets().isEmpty() && isAnotherOfThisId(state, target)) {
      return StateMachine.rejected(
          state,
          Reason.TARGET_IS_MEMBER,
          "target "
              + target.id()
              + " is a member of the cluster map with other disks; give this process a"
              + " cluster.target-id of its own. If the member's disks are lost, then run tarn"
              + " cluster add for the new id, tarn cluster out "
              + target.id()
              + ", and tarn cluster remove "
              + target.id()
              + " --lose-data");
    }
    if (state.announced(target.id()) == null
        && state.announced().size() >= ClusterMap.TARGETS_MAX) {
      return StateMachine.rejected(
          state,
          Reason.TOO_MANY_TARGETS,
          ClusterMap.TARGETS_MAX + " targets have announced themselves; forget some first");
    }
    return StateMachine.applied(
        state, tables -> withAddresses(tables.withAnnounced(target), target));
  }

  /** Whether a member has this id and none of these disks: it must not lose its calls. */
  private static boolean isAnotherOfThisId(ControlState state, AnnouncedTarget target) {
    return state
        .map()
        .flatMap(map -> map.target(target.id()))
        .filter(member -> Collections.disjoint(diskIds(member), target.diskIds()))
        .isPresent();
  }

  /** Updates the addresses of a member in the map. This moves no objects. */
  private static StateTables withAddresses(StateTables tables, AnnouncedTarget target) {
    Optional<ClusterMap> map = tables.map();
    Optional<MapTarget> member = map.flatMap(present -> present.target(target.id()));
    if (member.isEmpty() || member.orElseThrow().addresses().equals(target.addresses())) {
      return tables;
    }
    return tables.withMap(map.orElseThrow().withAddresses(target.id(), target.addresses()));
  }

  /** A message if the target has a disk of a removed target, whose slots others have now. */
  private static Optional<String> removedBefore(ControlState state, AnnouncedTarget target) {
    return target.diskIds().stream()
        .filter(disk -> state.tables().removedDisks().contains(disk))
        .findFirst()
        .map(disk ->
            "disk "
                + disk
                + " of target "
                + target.id()
                + " was a disk of a target that was removed with its data; delete the disk's"
                + " folder and the data folder of the target, and start it again");
  }

  /**
   * A message if another target has one of this target's disks, as after a copy of a data folder.
   */
  private static Optional<String> claimedElsewhere(ControlState state, AnnouncedTarget target) {
    for (DiskId disk : target.diskIds()) {
      for (AnnouncedTarget other : state.announced()) {
        if (!other.id().equals(target.id()) && other.diskIds().contains(disk)) {
          return Optional.of(claim(target.id(), disk, other.id()));
        }
      }
      for (MapTarget other : state.map().map(ClusterMap::targets).orElse(List.of())) {
        if (!other.id().equals(target.id()) && diskIds(other).contains(disk)) {
          return Optional.of(claim(target.id(), disk, other.id()));
        }
      }
    }
    return Optional.empty();
  }

  private static String claim(TargetId target, DiskId disk, TargetId other) {
    return "disk "
        + disk
        + " of target "
        + target
        + " is that of target "
        + other
        + "; was a data folder copied? Give this target folders of its own, or forget "
        + other;
  }

  private static Transition forget(ControlState state, TargetId id) {
    if (state.map().flatMap(map -> map.target(id)).isPresent()) {
      return StateMachine.rejected(
          state, Reason.TARGET_IS_MEMBER, "target " + id + " is a member of the cluster map");
    }
    if (state.announced(id) == null) {
      return noSuchTarget(state, id);
    }
    return StateMachine.applied(state, tables -> tables.withoutAnnounced(id));
  }

  static Transition noSuchTarget(ControlState state, TargetId id) {
    String announced =
        state.announced().stream().map(target -> target.id().value()).collect(joining(", "));
    return StateMachine.rejected(
        state,
        Reason.NO_SUCH_TARGET,
        "no target "
            + id
            + " has announced itself; those that have are "
            + (announced.isEmpty() ? "none" : announced));
  }

  private static Transition setMembers(ControlState state, Set<TargetId> members) {
    if (members.isEmpty()) {
      return StateMachine.rejected(
          state, Reason.NO_SUCH_TARGET, "a cluster map needs at least one target");
    }
    List<MapTarget> targets = new ArrayList<>();
    for (TargetId id : new TreeSet<>(members)) {
      Optional<MapTarget> member = member(state, id);
      if (member.isEmpty()) {
        return noSuchTarget(state, id);
      }
      targets.add(member.orElseThrow());
    }
    Optional<String> unreadable = unreadableDisk(state, targets);
    if (unreadable.isPresent()) {
      return StateMachine.rejected(state, Reason.DISK_UNREADABLE, unreadable.orElseThrow());
    }
    Optional<ClusterMap> present = state.map();
    if (present.isEmpty()) {
      return StateMachine.applied(state, tables -> tables.withMap(ClusterMap.first(targets)));
    }
    if (present.orElseThrow().targets().equals(targets)) {
      return StateMachine.rejected(
          state, Reason.NOTHING_CHANGES, "the cluster map has exactly these members");
    }
    if (!state.buckets().isEmpty()) {
      return StateMachine.rejected(
          state,
          Reason.NEEDS_REBALANCE,
          "the cluster has members and "
              + state.buckets().size()
              + " buckets: "
              + String.join(", ", moves(present.orElseThrow(), targets))
              + "; change the members one by one, with tarn cluster add, out and remove");
    }
    return StateMachine.applied(
        state, tables -> tables.withMap(present.orElseThrow().successor(targets)));
  }

  /** A message if a new disk has no capacity: its weight could never be corrected. */
  static Optional<String> unreadableDisk(ControlState state, List<MapTarget> targets) {
    for (MapTarget target : targets) {
      AnnouncedTarget announced = state.announced(target.id());
      boolean stays = state.map().map(map -> map.targets().contains(target)).orElse(false);
      if (announced != null && !stays) {
        for (AnnouncedTarget.Disk disk : announced.disks()) {
          if (disk.capacityBytes() == 0) {
            return Optional.of(
                "disk "
                    + disk.id()
                    + " of target "
                    + target.id()
                    + " cannot be read, so nobody knows its share; repair or replace it, and"
                    + " restart the target");
          }
        }
      }
    }
    return Optional.empty();
  }

  /** The present member if its disks are unchanged; otherwise the target as announced. */
  private static Optional<MapTarget> member(ControlState state, TargetId id) {
    Optional<MapTarget> present = state.map().flatMap(map -> map.target(id));
    AnnouncedTarget announced = state.announced(id);
    if (announced == null
        || (present.isPresent() && diskIds(present.orElseThrow()).equals(announced.diskIds()))) {
      return present;
    }
    return Optional.of(announced.inMap());
  }

  /** The changes that move objects, as text. */
  private static List<String> moves(ClusterMap present, List<MapTarget> targets) {
    List<String> moves = new ArrayList<>();
    for (MapTarget target : targets) {
      Optional<MapTarget> before = present.target(target.id());
      if (before.isEmpty()) {
        moves.add("target " + target.id() + " would join");
      } else if (!diskIds(before.orElseThrow()).equals(diskIds(target))) {
        moves.add("target " + target.id() + " has other disks than in the map");
      }
    }
    Set<TargetId> staying = targets.stream().map(MapTarget::id).collect(toSet());
    for (MapTarget member : present.targets()) {
      if (!staying.contains(member.id())) {
        moves.add("target " + member.id() + " would leave");
      }
    }
    return moves;
  }

  private static Set<DiskId> diskIds(MapTarget target) {
    return target.disks().stream().map(MapDisk::id).collect(toSet());
  }
}
