package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toCollection;

import dev.tarn.cluster.control.AnnouncedTarget;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.map.TargetId;
import io.vertx.core.json.JsonObject;
import java.util.Set;
import java.util.TreeSet;

/** The cluster: which targets have announced themselves, and which are members. */
record ClusterResource(Commands commands) {
  ClusterResource {
    requireNonNull(commands, "commands is null");
  }

  /** Shows the newest state if the control node is reachable. */
  AdminAnswer show(AdminCall call) {
    boolean reachable = commands.refresh();
    return AdminAnswer.ok(ClusterJson.write(commands.state(), commands.reachability(reachable)));
  }

  /**
   * Makes exactly the named targets the members. If no target is named, all announced targets
   * become members.
   */
  AdminAnswer setMembers(AdminCall call) {
    call.fields().allow("targets");
    Set<TargetId> members =
        call.fields().texts("targets").stream()
            .map(ClusterResource::targetId)
            .collect(toCollection(TreeSet::new));
    boolean reachable = commands.refresh();
    if (members.isEmpty()) {
      members = announced(commands.state());
    }
    boolean changed =
        commands.runUnlessNothingChanges(new Command.SetMembers(commands.nowMs(), members));
    return AdminAnswer.ok(
        ClusterJson.write(commands.state(), commands.reachability(reachable))
            .put("changed", changed));
  }

  private static Set<TargetId> announced(ControlState state) {
    Set<TargetId> announced = new TreeSet<>();
    for (AnnouncedTarget target : state.announced()) {
      announced.add(target.id());
    }
    if (announced.isEmpty()) {
      throw AdminProblem.notFound(
          "no target has announced itself; start targets whose cluster.control names the control"
              + " node of this cluster");
    }
    return announced;
  }

  /** Continues after the control node's data was restored from a copy. */
  AdminAnswer restored(AdminCall call) {
    boolean changed =
        commands.runUnlessNothingChanges(
            new Command.Restore(commands.nowMs(), commands.state().version()));
    return AdminAnswer.ok(
        new JsonObject()
            .put("control_version", commands.state().version())
            .put("changed", changed));
  }

  AdminAnswer forget(AdminCall call) {
    TargetId id = targetId(call.name());
    commands.run(new Command.ForgetTarget(commands.nowMs(), id));
    return AdminAnswer.ok(new JsonObject().put("forgotten", id.value()));
  }

  private static TargetId targetId(String text) {
    try {
      return new TargetId(text);
    } catch (IllegalArgumentException e) {
      throw AdminProblem.wrongRequest(String.valueOf(e.getMessage()));
    }
  }
}
