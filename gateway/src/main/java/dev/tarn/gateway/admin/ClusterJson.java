package dev.tarn.gateway.admin;

import dev.tarn.cluster.control.AnnouncedTarget;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MapDisk;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.MemberState;
import dev.tarn.cluster.map.Slot;
import dev.tarn.cluster.map.SlotTable;
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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The cluster as the admin API shows it. */
final class ClusterJson {
  private ClusterJson() {}

  static JsonObject write(ControlState state, String reachability) {
    JsonArray targets = new JsonArray();
    for (TargetId id : targetIds(state)) {
      Optional<MapTarget> member = state.map().flatMap(map -> map.target(id));
      targets.add(target(state, id, member, state.announced(id)));
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

  /** The target of this id; empty if it is neither a member nor announced. */
  static Optional<JsonObject> target(ControlState state, TargetId id) {
    return targetIds(state).contains(id)
        ? Optional.of(
            target(state, id, state.map().flatMap(map -> map.target(id)), state.announced(id)))
        : Optional.empty();
  }

  private static JsonObject target(
      ControlState state,
      TargetId id,
      Optional<MapTarget> member,
      @Nullable AnnouncedTarget announced) {
    List<TargetAddress> addresses =
        announced == null
            ? member.map(MapTarget::addresses).orElse(List.of())
            : announced.addresses();
    Set<DiskId> inMap = member.map(ClusterJson::diskIds).orElse(Set.of());
    boolean otherDisks =
        member.isPresent() && announced != null && !inMap.equals(announced.diskIds());
    JsonArray addressTexts = new JsonArray();
    addresses.forEach(address -> addressTexts.add(address.toString()));
    Optional<SlotTable> slots = state.map().map(ClusterMap::slots);
    return new JsonObject()
        .put("id", id.value())
        .put("state", otherDisks ? "member, other disks" : text(member.map(MapTarget::state)))
        .put("since_ms", member.map(MapTarget::stateMs).orElse(0L))
        .put("cached_slots", count(slots, slot -> slot.owner().target().equals(id)))
        .put("primary_slots", count(slots, slot -> slot.home().target().equals(id)))
        .put(
            "primary_slots_to_give",
            count(slots, slot -> slot.destination().isPresent() && slot.home().target().equals(id)))
        .put("addresses", addressTexts)
        .put("tls", announced != null && announced.tls())
        .put("disks", disks(inMap, announced));
  }

  private static String text(Optional<MemberState> member) {
    return member
        .map(state ->
            switch (state) {
              case IN_SERVICE -> "in service";
              case LEAVING -> "leaving";
              case OUT_OF_SERVICE -> "out of service";
            })
        .orElse("announced");
  }

  private static int count(Optional<SlotTable> slots, Predicate<Slot> wanted) {
    return slots.map(table -> table.count(wanted)).orElse(0);
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
