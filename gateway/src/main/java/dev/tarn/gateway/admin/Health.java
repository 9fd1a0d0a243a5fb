package dev.tarn.gateway.admin;

import static java.util.Locale.ROOT;
import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.AnnouncedTarget;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.MemberState;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.wire.TargetReport;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whether the cluster is well, as this process sees it.
 *
 * @param reasons why it is not; the first one is to be dealt with first
 */
record Health(State state, List<Reason> reasons) {
  private static final String IN_SERVICE = "in service";
  private static final String OUT_OF_SERVICE = "out of service";
  private static final String FULL = "full";

  /** For how long reads that passed a full cache count. */
  private static final Duration PASSED_SHOWN_MAX = Duration.ofMinutes(10);

  Health {
    requireNonNull(state, "state is null");
    reasons = List.copyOf(reasons);
  }

  enum State {
    OK,
    /** It serves, but something is wrong. */
    DEGRADED,
    /** No target serves. */
    DOWN
  }

  /**
   * Something that is wrong.
   *
   * @param problem what is wrong, and what follows from it
   * @param remedy what to do
   */
  record Reason(String problem, String remedy) {}

  /**
   * The health of the cluster.
   *
   * @param control whether the control node is reachable
   */
  static Health of(ControlState state, NodeStatus seen, String control, long nowMs) {
    List<Reason> reasons = new ArrayList<>();
    boolean hasMembers = state.map().isPresent() || !seen.targets().isEmpty();
    if (!hasMembers && control.equals(Commands.REACHABLE)) {
      reasons.add(
          new Reason(
              "no target is a member of the cluster, so nothing can be stored",
              "start targets with tarn serve --role target, and run tarn cluster init"));
    }
    if (!control.equals(Commands.REACHABLE)) {
      reasons.add(
          new Reason(
              "control plane "
                  + control
                  + "; buckets, users and keys cannot be changed until it is back",
              "check that the control node runs and that its address is right"));
    }
    state
        .map()
        .ifPresent(map -> {
          for (MapTarget member : map.targets()) {
            addOfMap(member, reasons);
            addMissingDisks(member, disks(member.id(), state, seen), reasons);
          }
        });
    seen.targets().forEach(target -> addOfTarget(target, reasons));
    addPassedReads(seen, nowMs, reasons);
    boolean isDown =
        !hasMembers
            || (!seen.targets().isEmpty() && seen.targets().stream().noneMatch(Health::serves));
    return new Health(isDown ? State.DOWN : reasons.isEmpty() ? State.OK : State.DEGRADED, reasons);
  }

  /** Whether a target answers for a disk at least; a full disk is read. */
  private static boolean serves(NodeStatus.Target target) {
    return target.state().equals(IN_SERVICE)
        && (target.disks().isEmpty()
            || target.disks().stream()
                .anyMatch(disk -> disk.state().equals(IN_SERVICE) || disk.state().equals(FULL)));
  }

  /** The disks that a target reports or, if it does not, has announced; empty if unknown. */
  private static Set<String> disks(TargetId id, ControlState state, NodeStatus seen) {
    Set<String> reported =
        seen.targets().stream()
            .filter(target -> target.id().equals(id.value()))
            .flatMap(target -> target.disks().stream())
            .map(NodeStatus.Disk::id)
            .collect(Collectors.toSet());
    AnnouncedTarget announced = state.announced(id);
    return !reported.isEmpty() || announced == null
        ? reported
        : announced.diskIds().stream().map(DiskId::value).collect(Collectors.toSet());
  }

  private static void addOfMap(MapTarget member, List<Reason> reasons) {
    String target = "target " + member.id();
    if (member.state() != MemberState.IN_SERVICE) {
      boolean isLeaving = member.state() == MemberState.LEAVING;
      reasons.add(
          new Reason(
              target
                  + (isLeaving
                      ? " was told to leave, and has not confirmed it"
                      : " is out of service")
                  + "; its primary objects answer 503",
              (isLeaving ? "start the target, so that it confirms; " : "")
                  + "when it can serve again, run tarn cluster in "
                  + member.id()
                  + "; if it will not come back, run tarn cluster remove "
                  + member.id()
                  + " --lose-data"));
    }
  }

  private static void addMissingDisks(MapTarget member, Set<String> present, List<Reason> reasons) {
    if (!present.isEmpty()) {
      String missing =
          member.disks().stream()
              .map(disk -> disk.id().value())
              .filter(disk -> !present.contains(disk))
              .collect(Collectors.joining(", "));
      if (!missing.isEmpty()) {
        reasons.add(
            new Reason(
                "target "
                    + member.id()
                    + " runs without disk "
                    + missing
                    + " of the cluster map; it serves nothing",
                "start the target with the folders of all its disks; if another process has the"
                    + " same cluster.target-id, give it one of its own"));
      }
    }
  }

  private static void addOfTarget(NodeStatus.Target target, List<Reason> reasons) {
    boolean isOut = target.state().equals(OUT_OF_SERVICE);
    if (!isOut && !target.state().equals(IN_SERVICE)) {
      reasons.add(
          new Reason(
              "target " + target.id() + " " + target.state() + "; its objects cannot be read",
              "check its process, its address " + target.address() + " and its log"));
    }
    for (NodeStatus.Disk disk : target.disks()) {
      String name = "disk " + disk.id() + " of target " + target.id();
      if (disk.state().equals(FULL)) {
        // What is cached has left by itself.
        reasons.add(
            new Reason(
                String.format(
                    ROOT,
                    "%s is full: %,d of %,d bytes are free beyond target.store.reserve-bytes; its"
                        + " keys can be read and deleted, but not written",
                    name,
                    disk.freeBytes(),
                    disk.capacityBytes()),
                "enlarge the disk"));
      } else if (!disk.state().equals(IN_SERVICE)) {
        reasons.add(
            new Reason(
                name + " is out of service: " + disk.state() + "; its objects cannot be read",
                "repair or replace the disk and restart the target"));
      }
    }
  }

  /** Reads that a cache without room passes on. */
  private static void addPassedReads(NodeStatus seen, long nowMs, List<Reason> reasons) {
    List<TargetReport.Stored> reports =
        seen.targets().stream().flatMap(target -> target.stored().stream()).toList();
    long lastMs =
        reports.stream().mapToLong(TargetReport.Stored::cachePassedLastMs).max().orElse(0);
    if (lastMs > 0 && nowMs - lastMs <= PASSED_SHOWN_MAX.toMillis()) {
      reasons.add(
          new Reason(
              String.format(
                  ROOT,
                  "reads of cached buckets are passed to their backends without being cached,"
                      + " because a disk has no room: %,d units and small objects since the start,"
                      + " the last %d s ago",
                  reports.stream().mapToLong(TargetReport.Stored::cachePassed).sum(),
                  Math.max(0, (nowMs - lastMs) / 1000)),
              "enlarge the disk"));
    }
  }

  /** Adds the fields of this record. */
  JsonObject writeTo(JsonObject document) {
    JsonArray list = new JsonArray();
    reasons.forEach(reason ->
        list.add(new JsonObject().put("problem", reason.problem()).put("remedy", reason.remedy())));
    return document.put("health", state.name().toLowerCase(ROOT)).put("reasons", list);
  }
}
