package dev.tarn.cluster.map;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Distributes the slots over the disks of targets.
 *
 * <p>{@link Rendezvous} hashing alone would give each of 200 targets 20 slots, more or less 22 %.
 * So each target has a quota, its exact share rounded down or up, and so has each disk of a target.
 * A disk above its quota gives up the slots that its target values least. These and the free slots
 * go to the target below its quota that values them most. Quotas are rounded in favour of what is
 * there, so no other distribution with these bounds moves fewer slots.
 */
final class SlotFill {
  private static final int FREE = -1;
  private static final int FIXED = -2;

  private final Rendezvous<MapTarget> targets;
  private final List<Candidate> candidates;
  private final List<DiskPlace> places = new ArrayList<>();

  /**
   * The number of the disk that has a slot, in {@link #places}; or {@link #FREE} or {@link #FIXED}.
   */
  private final int[] holders;

  /** What a target has and may have. The arrays are in the order of its disks. */
  private static final class Candidate {
    private final Rendezvous<MapDisk> disks;
    private final int firstPlace;
    private final int[] counts;
    private final int[] quotas;

    Candidate(Rendezvous<MapDisk> disks, int firstPlace) {
      this.disks = disks;
      this.firstPlace = firstPlace;
      this.counts = new int[disks.size()];
      this.quotas = new int[disks.size()];
    }

    int count() {
      return Arrays.stream(counts).sum();
    }

    boolean hasRoom(int disk) {
      return counts[disk] < quotas[disk];
    }

    boolean hasRoom() {
      for (int disk = 0; disk < counts.length; disk++) {
        if (hasRoom(disk)) {
          return true;
        }
      }
      return false;
    }
  }

  private SlotFill(
      List<MapTarget> members, List<? extends @Nullable DiskPlace> present, Set<TargetId> fixed) {
    targets = Rendezvous.amongTargets(members);
    candidates = new ArrayList<>();
    for (int i = 0; i < targets.size(); i++) {
      Rendezvous<MapDisk> disks = Rendezvous.amongDisks(targets.member(i).disks());
      candidates.add(new Candidate(disks, places.size()));
      for (int disk = 0; disk < disks.size(); disk++) {
        places.add(new DiskPlace(targets.member(i).id(), disks.member(disk).id()));
      }
    }
    Map<DiskPlace, Integer> numbers = new HashMap<>();
    for (int i = 0; i < places.size(); i++) {
      numbers.put(places.get(i), i);
    }
    holders =
        present.stream()
            .mapToInt(place ->
                place != null && fixed.contains(place.target())
                    ? FIXED
                    : numbers.getOrDefault(place, FREE))
            .toArray();
    for (Candidate candidate : candidates) {
      for (int disk = 0; disk < candidate.counts.length; disk++) {
        int place = candidate.firstPlace + disk;
        candidate.counts[disk] = (int) Arrays.stream(holders).filter(i -> i == place).count();
      }
    }
    setQuotas();
  }

  /** The places of all slots on disks that have none yet. */
  static List<DiskPlace> empty(List<MapTarget> targets) {
    return of(targets, Collections.nCopies(Slot.COUNT, null), Set.of());
  }

  /**
   * The new place of each slot.
   *
   * @param targets that may have slots
   * @param present the place of each slot; null if it is free. A place that is not on the targets
   *     counts as free
   * @param fixed other targets, whose slots stay where they are
   */
  static List<DiskPlace> of(
      List<MapTarget> targets, List<? extends @Nullable DiskPlace> present, Set<TargetId> fixed) {
    List<@Nullable DiskPlace> distributed = new SlotFill(targets, present, fixed).distribute();
    return IntStream.range(0, distributed.size())
        .mapToObj(slot -> {
          DiskPlace place = distributed.get(slot);
          return requireNonNull(place == null ? present.get(slot) : place, "a slot has a place");
        })
        .toList();
  }

  private void setQuotas() {
    int[] counts = candidates.stream().mapToInt(Candidate::count).toArray();
    int total = (int) Arrays.stream(holders).filter(holder -> holder != FIXED).count();
    int[] ofTargets = quotas(total, targets, counts);
    for (int i = 0; i < candidates.size(); i++) {
      Candidate candidate = candidates.get(i);
      int[] ofDisks = quotas(ofTargets[i], candidate.disks, candidate.counts);
      System.arraycopy(ofDisks, 0, candidate.quotas, 0, ofDisks.length);
    }
  }

  /** The members' exact shares, rounded so that their sum is the total. */
  private static int[] quotas(int total, Rendezvous<?> members, int[] counts) {
    double weight = IntStream.range(0, members.size()).mapToDouble(members::weight).sum();
    double[] shares =
        IntStream.range(0, members.size())
            .mapToDouble(i -> total * members.weight(i) / weight)
            .toArray();
    int[] rounded = Arrays.stream(shares).mapToInt(share -> (int) share).toArray();
    IntStream.range(0, shares.length)
        .boxed()
        .sorted(
            Comparator.<Integer>comparingInt(i -> counts[i] > rounded[i] ? 0 : 1)
                .thenComparingDouble(i -> rounded[i] - shares[i]))
        .limit(total - Arrays.stream(rounded).sum())
        .toList()
        .forEach(i -> rounded[i]++);
    return rounded;
  }

  /** The new place of each slot; null for a fixed one. */
  private List<@Nullable DiskPlace> distribute() {
    for (int target = 0; target < candidates.size(); target++) {
      for (int disk = 0; disk < candidates.get(target).counts.length; disk++) {
        giveUpSurplus(target, disk);
      }
    }
    for (int slot = 0; slot < holders.length; slot++) {
      if (holders[slot] == FREE) {
        int target = targets.winner(slot, i -> candidates.get(i).hasRoom());
        Candidate candidate = candidates.get(target);
        int disk = candidate.disks.winner(slot, candidate::hasRoom);
        candidate.counts[disk]++;
        holders[slot] = candidate.firstPlace + disk;
      }
    }
    List<@Nullable DiskPlace> distributed = new ArrayList<>();
    for (int holder : holders) {
      distributed.add(holder == FIXED ? null : places.get(holder));
    }
    return distributed;
  }

  private void giveUpSurplus(int target, int disk) {
    Candidate candidate = candidates.get(target);
    int surplus = candidate.counts[disk] - candidate.quotas[disk];
    if (surplus > 0) {
      int place = candidate.firstPlace + disk;
      IntStream.range(0, holders.length)
          .filter(slot -> holders[slot] == place)
          .boxed()
          .sorted(Comparator.comparingDouble(slot -> targets.score(slot, target)))
          .limit(surplus)
          .toList()
          .forEach(slot -> holders[slot] = FREE);
      candidate.counts[disk] -= surplus;
    }
  }
}
