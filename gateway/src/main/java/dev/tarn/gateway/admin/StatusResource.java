package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.function.Supplier;

/** The state of this process and of the cluster. */
record StatusResource(
    Commands commands, String version, long startedMs, Supplier<NodeStatus> status) {
  private static final int MS_PER_SECOND = 1000;

  StatusResource {
    requireNonNull(commands, "commands is null");
    requireNonNull(version, "version is null");
    requireNonNull(status, "status is null");
  }

  AdminAnswer show(AdminCall call) {
    NodeStatus now = status.get();
    JsonArray targets = new JsonArray();
    now.targets().forEach(target -> targets.add(document(target)));
    return AdminAnswer.ok(
        new JsonObject()
            .put("version", version)
            .put("role", now.role())
            .put("uptime_s", (commands.nowMs() - startedMs) / MS_PER_SECOND)
            .put("control", commands.reachability())
            .put("control_version", commands.state().version())
            .put("map_epoch", now.mapEpoch())
            .put("targets", targets)
            .put("buckets", commands.state().buckets().size())
            .put("users", commands.state().users().size()));
  }

  private static JsonObject document(NodeStatus.Target target) {
    JsonArray disks = new JsonArray();
    target.disks().forEach(disk -> disks.add(document(disk)));
    return new JsonObject()
        .put("id", target.id())
        .put("address", target.address())
        .put("state", target.state())
        .put("disks", disks);
  }

  private static JsonObject document(NodeStatus.Disk disk) {
    return new JsonObject()
        .put("id", disk.id())
        .put("folder", disk.folder())
        .put("state", disk.state())
        .put("capacity_bytes", disk.capacityBytes())
        .put("free_bytes", disk.freeBytes());
  }
}
