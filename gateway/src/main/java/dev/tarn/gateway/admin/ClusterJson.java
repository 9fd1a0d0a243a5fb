package dev.tarn.gateway.admin;

import dev.tarn.cluster.control.AnnouncedTarget;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MapDisk;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The cluster as the admin API shows it. */
final class ClusterJson {
  private ClusterJson() {}

  static JsonObject write(ControlState state, String reachability) {
    JsonArray targets = new JsonArray();
    for (TargetId id : targetIds(state)) {
      Optional<MapTarget> member = state.map().flatMap(map -> map.target(id));
      targets.add(target(id, member, state.announced(id)));
    }
    return new JsonObject()
        .put("cluster_id", state.clusterId().orElse(null))
        .put("control", reachability)
        .put("control_version", state.version())
        .put("map_epoch", state.map().map(ClusterMap::epoch).orElse(null))
        .put("targets", targets);
  }

  private static Set<TargetId> targetIds(ControlState state) {
    Set<TargetId> ids = new TreeSet<>();
    state.map().ifPresent(map -> map.targets().forEach(member -> ids.add(member.id())));
    state.announced().forEach(target -> ids.add(target.id()));
    return ids;
  }

  private static JsonObject target(
      TargetId id, Optional<MapTarget> member, @Nullable AnnouncedTarget announced) {
    List<TargetAddress> addresses =
        announced == null
            ? member.map(MapTarget::addresses).orElse(List.of())
            : announced.addresses();
    Set<DiskId> inMap = member.map(ClusterJson::diskIds).orElse(Set.of());
    boolean otherDisks =
        member.isPresent() && announced != null && !inMap.equals(announced.diskIds());
    String state = member.isEmpty() ? "announced" : otherDisks ? "member, other disks" : "member";
    JsonArray addressTexts = new JsonArray();
    addresses.forEach(address -> addressTexts.add(address.toString()));
    return new JsonObject()
        .put("id", id.value())
        .put("state", state)
        .put("addresses", addressTexts)
        .put("tls", announced != null && announced.tls())
        .put("disks", disks(inMap, announced));
  }

  private static JsonArray disks(Set<DiskId> inMap, @Nullable AnnouncedTarget announced) {
    Map<DiskId, JsonObject> disks = new TreeMap<>();
    for (DiskId id : inMap) {
      disks.put(id, disk(id, announced == null ? "in the map" : "in the map alone"));
    }
    if (announced != null) {
      for (AnnouncedTarget.Disk disk : announced.disks()) {
        String state = inMap.contains(disk.id()) ? "in the map" : "announced";
        disks.put(disk.id(), disk(disk.id(), state).put("capacity_bytes", disk.capacityBytes()));
      }
    }
    return new JsonArray(List.copyOf(disks.values()));
  }

  private static JsonObject disk(DiskId id, String state) {
    return new JsonObject().put("id", id.value()).put("state", state);
  }

  private static Set<DiskId> diskIds(MapTarget member) {
    return member.disks().stream().map(MapDisk::id).collect(Collectors.toUnmodifiableSet());
  }
}
