package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toCollection;

import dev.tarn.cluster.control.AnnouncedTarget;
import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.map.MemberState;
import dev.tarn.cluster.map.TargetId;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** The cluster: which targets have announced themselves, and which are members. */
record ClusterResource(Commands commands, Supplier<NodeStatus> status) {
  /** A target that serves confirms within one round trip to the control node. */
  private static final Duration CONFIRMATION_MAX = Duration.ofSeconds(5);

  ClusterResource {
    requireNonNull(commands, "commands is null");
    requireNonNull(status, "status is null");
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

  /** Shows a target, and the primary data that it held when it last answered this process. */
  AdminAnswer showTarget(AdminCall call) {
    TargetId id = targetId(call.name());
    boolean reachable = commands.refresh();
    ControlState state = commands.state();
    JsonObject target =
        ClusterJson.target(state, id)
            .orElseThrow(() -> AdminProblem.notFound("there is no target " + id));
    Optional<NodeStatus.LastReport> last =
        status.get().targets().stream()
            .filter(one -> one.id().equals(id.value()))
            .findFirst()
            .flatMap(NodeStatus.Target::lastReport);
    JsonArray held = new JsonArray();
    last.ifPresent(report ->
        report
            .stored()
            .buckets()
            .forEach(usage -> {
              Bucket bucket = state.bucket(usage.bucket());
              if (bucket != null && !bucket.isCached() && usage.objects() > 0) {
                held.add(
                    new JsonObject()
                        .put("bucket", bucket.name())
                        .put("objects", usage.objects())
                        .put("bytes", usage.bytes()));
              }
            }));
    return AdminAnswer.ok(
        target
            .put("control", commands.reachability(reachable))
            .put("reported_ms", last.map(NodeStatus.LastReport::atMs).orElse(0L))
            .put("primary", held));
  }

  /** Adds an announced target to the map. */
  AdminAnswer add(AdminCall call) {
    return changed(new Command.AddTarget(commands.nowMs(), targetId(call.name())));
  }

  /** Tells a member to serve nothing, and waits for a moment until it confirms. */
  AdminAnswer takeOut(AdminCall call) {
    TargetId id = targetId(call.name());
    boolean changed = commands.runUnlessNothingChanges(new Command.TakeOut(commands.nowMs(), id));
    commands.await(state -> !isIn(state, id, MemberState.LEAVING), CONFIRMATION_MAX);
    return answer(changed);
  }

  /** Lets a member serve again. */
  AdminAnswer takeIn(AdminCall call) {
    return changed(new Command.TakeIn(commands.nowMs(), targetId(call.name())));
  }

  /** Removes a member that is out. Its primary data are lost. */
  AdminAnswer remove(AdminCall call) {
    call.fields().allow("lose_data");
    TargetId id = targetId(call.name());
    if (!call.fields().truth("lose_data", false)) {
      throw AdminProblem.wrongRequest(
          "removing target " + id + " loses its primary data; send lose_data: true if you mean it");
    }
    return changed(new Command.RemoveTarget(commands.nowMs(), id));
  }

  private static boolean isIn(ControlState state, TargetId id, MemberState wanted) {
    return state
        .map()
        .flatMap(map -> map.target(id))
        .filter(member -> member.state() == wanted)
        .isPresent();
  }

  private AdminAnswer changed(Command command) {
    return answer(commands.runUnlessNothingChanges(command));
  }

  private AdminAnswer answer(boolean changed) {
    return AdminAnswer.ok(
        ClusterJson.write(commands.state(), commands.reachability()).put("changed", changed));
  }

  private static TargetId targetId(String text) {
    try {
      return new TargetId(text);
    } catch (IllegalArgumentException e) {
      throw AdminProblem.wrongRequest(String.valueOf(e.getMessage()));
    }
  }
}
