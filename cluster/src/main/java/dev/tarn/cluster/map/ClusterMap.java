package dev.tarn.cluster.map;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toUnmodifiableSet;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The members of the cluster at one map epoch, and which of their disks has each slot. Immutable.
 *
 * @param epoch positive; a later map has a greater one
 * @param targets in the order of their ids; at least one
 * @param slots on disks of these targets
 */
public record ClusterMap(long epoch, List<MapTarget> targets, SlotTable slots) {
  /** The greatest number of targets. */
  public static final int TARGETS_MAX = 10_000;

  public ClusterMap {
    if (epoch < 1) {
      throw new IllegalArgumentException(
          "epoch of a cluster map is " + epoch + ", must be positive");
    }
    targets = sorted(targets);
    requireNonNull(slots, "slots is null");
    checkHolders(targets, slots);
  }

  private static List<MapTarget> sorted(List<MapTarget> given) {
    List<MapTarget> targets = requireNonNull(given, "targets is null").stream().sorted().toList();
    if (targets.isEmpty() || targets.size() > TARGETS_MAX) {
      throw new IllegalArgumentException(
          "cluster map has " + targets.size() + " targets, must have 1 to " + TARGETS_MAX);
    }
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
    return targets;
  }

  private static void checkHolders(List<MapTarget> targets, SlotTable slots) {
    Set<DiskPlace> disks = new HashSet<>();
    targets.forEach(
        target -> target.disks().forEach(disk -> disks.add(new DiskPlace(target.id(), disk.id()))));
    for (Slot slot : slots.all()) {
      for (Slot.Keys keys : Slot.Keys.values()) {
        DiskPlace place = slot.holder(keys).place();
        if (!disks.contains(place)) {
          throw new IllegalArgumentException(
              "cluster map has slots on disk " + place.disk() + ", which is not in the map");
        }
      }
    }
  }

  /** The first map of a cluster. */
  public static ClusterMap first(List<MapTarget> targets) {
    return empty(1, targets);
  }

  /** The map of a cluster whose disks have nothing yet. */
  public static ClusterMap empty(long epoch, List<MapTarget> targets) {
    List<MapTarget> members = sorted(targets);
    return new ClusterMap(epoch, members, SlotTable.first(members, epoch));
  }

  /** The next map, with these targets, all in service, which have nothing yet. */
  public ClusterMap successor(List<MapTarget> newTargets) {
    return empty(
        epoch + 1,
        newTargets.stream()
            .map(member ->
                member.serves() ? member : member.with(MemberState.IN_SERVICE, epoch + 1, 0))
            .toList());
  }

  /** The next map, in which a target has other addresses. Nothing moves. */
  public ClusterMap withAddresses(TargetId id, List<TargetAddress> addresses) {
    return new ClusterMap(epoch + 1, replacing(id, member -> member.at(addresses)), slots);
  }

  /** The next map, with one more target. It gets its share of cached slots at once. */
  public ClusterMap adding(MapTarget added, long nowMs) {
    List<MapTarget> members = new ArrayList<>(targets);
    members.add(added.with(MemberState.IN_SERVICE, epoch + 1, nowMs));
    return rebalanced(members, slots);
  }

  /** The next map, in which a target is told to serve nothing. Another one must serve. */
  public ClusterMap takingOut(TargetId id, long nowMs) {
    return rebalanced(replacing(id, changed(MemberState.LEAVING, nowMs)), slots);
  }

  /** The next map, in which a target has confirmed that it serves nothing. */
  public ClusterMap confirmingOut(TargetId id, long nowMs) {
    return rebalanced(replacing(id, changed(MemberState.OUT_OF_SERVICE, nowMs)), slots);
  }

  /** The next map, in which a target serves again. */
  public ClusterMap takingIn(TargetId id, long nowMs) {
    SlotTable returned =
        slots.with((number, slot) ->
            slot.owner().target().equals(id) && slot.taker().isPresent()
                ? new Slot(
                    slot.home(),
                    slot.destination(),
                    new SlotHolder(slot.owner().place(), epoch + 1),
                    Optional.empty())
                : slot);
    return rebalanced(replacing(id, changed(MemberState.IN_SERVICE, nowMs)), returned);
  }

  /** The next map, without a target. Others get its slots, without what is in them. */
  public ClusterMap removing(TargetId id) {
    return rebalanced(targets.stream().filter(member -> !member.id().equals(id)).toList(), slots);
  }

  /**
   * The next map, in which homes have given empty slots to their destinations; empty if they have
   * none of these slots any more, or since another epoch.
   *
   * @param given the numbers of the slots, and the epoch since which the home has each
   */
  public Optional<ClusterMap> giving(TargetId home, Map<Integer, Long> given) {
    SlotTable moved =
        slots.with((number, slot) ->
            slot.destination().isPresent()
                    && slot.home().target().equals(home)
                    && given.getOrDefault(number, 0L) == slot.home().since()
                ? new Slot(
                    new SlotHolder(slot.destination().orElseThrow(), epoch + 1),
                    Optional.empty(),
                    slot.owner(),
                    slot.taker())
                : slot);
    return moved.equals(slots)
        ? Optional.empty()
        : Optional.of(new ClusterMap(epoch + 1, targets, moved));
  }

  private UnaryOperator<MapTarget> changed(MemberState state, long nowMs) {
    return member -> member.with(state, epoch + 1, nowMs);
  }

  private List<MapTarget> replacing(TargetId id, UnaryOperator<MapTarget> change) {
    return targets.stream()
        .map(member -> member.id().equals(id) ? change.apply(member) : member)
        .toList();
  }

  /**
   * The next map, with these members. Cached slots move at once. Slots of primary data get a
   * destination, and only those of removed targets move.
   */
  private ClusterMap rebalanced(List<MapTarget> members, SlotTable present) {
    long next = epoch + 1;
    List<MapTarget> serving = members.stream().filter(MapTarget::serves).toList();
    Set<TargetId> notServing = ids(members, member -> !member.serves());
    Set<TargetId> leaving = ids(members, member -> member.state() == MemberState.LEAVING);
    Set<TargetId> staying = ids(members, member -> true);
    List<DiskPlace> owners =
        SlotFill.of(
            serving, present.places(slot -> slot.holder(Slot.Keys.REVALIDATED).place()), Set.of());
    List<DiskPlace> homes =
        SlotFill.of(
            serving,
            present.places(slot ->
                slot.destination()
                    .filter(place -> !notServing.contains(place.target()))
                    .orElse(slot.home().place())),
            notServing);
    SlotTable changed =
        present.with((number, slot) -> {
          SlotHolder newest = slot.holder(Slot.Keys.REVALIDATED).movedTo(owners.get(number), next);
          boolean isLeft = leaving.contains(slot.owner().target());
          boolean isLost = !staying.contains(slot.home().target());
          DiskPlace home = homes.get(number);
          return new Slot(
              isLost ? slot.home().movedTo(home, next) : slot.home(),
              isLost || home.equals(slot.home().place()) ? Optional.empty() : Optional.of(home),
              isLeft ? slot.owner() : newest,
              isLeft ? Optional.of(newest) : Optional.empty());
        });
    return new ClusterMap(next, members, changed);
  }

  private static Set<TargetId> ids(List<MapTarget> members, Predicate<MapTarget> wanted) {
    return members.stream().filter(wanted).map(MapTarget::id).collect(toUnmodifiableSet());
  }

  /**
   * The same members so many epochs later. Every slot counts as changed, because unknown changes
   * were lost.
   */
  public ClusterMap afterLostChanges(long count) {
    long later = epoch + count;
    return new ClusterMap(
        later,
        targets,
        slots.with((number, slot) ->
            new Slot(
                new SlotHolder(slot.home().place(), later),
                slot.destination(),
                new SlotHolder(slot.owner().place(), later),
                slot.taker().map(taker -> new SlotHolder(taker.place(), later)))));
  }

  /** The share of cached slots that a disk has, 0 to 1; 0 if no target has it. */
  public double shareOf(DiskId disk) {
    return slots.count(slot -> slot.owner().disk().equals(disk)) / (double) Slot.COUNT;
  }

  /** The target of this id, if it is a member. */
  public Optional<MapTarget> target(TargetId id) {
    return targets.stream().filter(target -> target.id().equals(id)).findFirst();
  }
}
