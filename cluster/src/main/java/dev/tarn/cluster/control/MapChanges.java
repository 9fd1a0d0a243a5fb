package dev.tarn.cluster.control;

import dev.tarn.cluster.control.CommandOutcome.Reason;
import dev.tarn.cluster.control.StateMachine.Transition;
import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.MapDisk;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.MemberState;
import dev.tarn.cluster.map.TargetId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The rules of the state machine for changes of a map: its members, and who has which slots. */
final class MapChanges {
  private MapChanges() {}

  static Transition apply(ControlState state, Command command) {
    Optional<ClusterMap> map = state.map();
    if (map.isEmpty()) {
      return StateMachine.rejected(
          state, Reason.NO_MAP, "the cluster has no map yet; run tarn cluster init first");
    }
    ClusterMap present = map.orElseThrow();
    if (command instanceof Command.AddTarget add) {
      return add(state, present, add);
    } else if (command instanceof Command.TakeOut out) {
      return takeOut(state, present, out);
    } else if (command instanceof Command.ConfirmOut confirm) {
      return confirmOut(state, present, confirm);
    } else if (command instanceof Command.TakeIn in) {
      return takeIn(state, present, in);
    } else if (command instanceof Command.GiveSlots give) {
      return giveSlots(state, present, give);
    } else if (command instanceof Command.RemoveTarget remove) {
      return remove(state, present, remove);
    }
    throw new IllegalArgumentException("no rule for " + command.getClass().getName());
  }

  private static Transition add(ControlState state, ClusterMap map, Command.AddTarget command) {
    if (map.target(command.target()).isPresent()) {
      return unchanged(state, "target " + command.target() + " is a member of the cluster map");
    }
    AnnouncedTarget announced = state.announced(command.target());
    if (announced == null) {
      return Membership.noSuchTarget(state, command.target());
    }
    MapTarget added = announced.inMap();
    Optional<String> unreadable = Membership.unreadableDisk(state, List.of(added));
    if (unreadable.isPresent()) {
      return StateMachine.rejected(state, Reason.DISK_UNREADABLE, unreadable.orElseThrow());
    }
    return changed(state, map.adding(added, command.timeMs()));
  }

  private static Transition takeOut(ControlState state, ClusterMap map, Command.TakeOut command) {
    Optional<MapTarget> member = map.target(command.target());
    if (member.isEmpty()) {
      return noSuchMember(state, map, command.target());
    }
    if (!member.orElseThrow().serves()) {
      return unchanged(state, "target " + command.target() + " is out already");
    }
    if (isOnlyOne(map, command.target())) {
      return onlyOne(state, command.target());
    }
    return changed(state, map.takingOut(command.target(), command.timeMs()));
  }

  private static Transition confirmOut(
      ControlState state, ClusterMap map, Command.ConfirmOut command) {
    boolean isMeant =
        map.target(command.target())
            .filter(member -> member.state() == MemberState.LEAVING)
            .filter(member -> member.stateEpoch() == command.stateEpoch())
            .isPresent();
    return isMeant
        ? changed(state, map.confirmingOut(command.target(), command.timeMs()))
        : unchanged(
            state,
            "target "
                + command.target()
                + " was not told to leave in the epoch "
                + command.stateEpoch());
  }

  private static Transition takeIn(ControlState state, ClusterMap map, Command.TakeIn command) {
    Optional<MapTarget> member = map.target(command.target());
    if (member.isEmpty()) {
      return noSuchMember(state, map, command.target());
    }
    return member.orElseThrow().serves()
        ? unchanged(state, "target " + command.target() + " is in service already")
        : changed(state, map.takingIn(command.target(), command.timeMs()));
  }

  private static Transition giveSlots(
      ControlState state, ClusterMap map, Command.GiveSlots command) {
    return map.giving(command.home(), command.slots())
        .map(given -> changed(state, given))
        .orElseGet(() ->
            unchanged(state, "target " + command.home() + " has none of these slots to give"));
  }

  private static Transition remove(
      ControlState state, ClusterMap map, Command.RemoveTarget command) {
    Optional<MapTarget> member = map.target(command.target());
    if (member.isEmpty()) {
      return unchanged(state, "target " + command.target() + " is not a member of the cluster map");
    }
    if (member.orElseThrow().serves()) {
      return StateMachine.rejected(
          state,
          Reason.TARGET_IN_SERVICE,
          "target "
              + command.target()
              + " is in service; run tarn cluster out "
              + command.target()
              + " first");
    }
    if (isOnlyOne(map, command.target())) {
      return onlyOne(state, command.target());
    }
    ClusterMap smaller = map.removing(command.target());
    return StateMachine.applied(
        state,
        tables ->
            tables
                .withoutAnnounced(command.target())
                .withRemoved(member.orElseThrow().disks().stream().map(MapDisk::id).toList())
                .withMap(smaller));
  }

  private static Transition changed(ControlState state, ClusterMap map) {
    return StateMachine.applied(state, tables -> tables.withMap(map));
  }

  private static Transition unchanged(ControlState state, String message) {
    return StateMachine.rejected(state, Reason.NOTHING_CHANGES, message);
  }

  /** Whether no other target serves. */
  private static boolean isOnlyOne(ClusterMap map, TargetId id) {
    return map.targets().stream().noneMatch(other -> other.serves() && !other.id().equals(id));
  }

  private static Transition onlyOne(ControlState state, TargetId id) {
    return StateMachine.rejected(
        state,
        Reason.LAST_TARGET,
        "target " + id + " is the only one in service; add one or take one in first");
  }

  private static Transition noSuchMember(ControlState state, ClusterMap map, TargetId id) {
    return StateMachine.rejected(
        state,
        Reason.NO_SUCH_TARGET,
        "target "
            + id
            + " is not a member of the cluster map; its members are "
            + map.targets().stream()
                .map(member -> member.id().value())
                .collect(Collectors.joining(", ")));
  }
}
