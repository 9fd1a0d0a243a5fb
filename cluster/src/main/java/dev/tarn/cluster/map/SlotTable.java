package dev.tarn.cluster.map;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Who has each {@link Slot}. Immutable.
 *
 * @param all all slots in the order of their numbers
 */
public record SlotTable(List<Slot> all) {
  public SlotTable {
    all = List.copyOf(all);
    if (all.size() != Slot.COUNT) {
      throw new IllegalArgumentException(
          "cluster map has "
              + all.size()
              + " slots, must have "
              + Slot.COUNT
              + "; a map without slots was made by an earlier release, which this one cannot use");
    }
  }

  /** The table of a cluster whose disks have nothing yet. */
  static SlotTable first(List<MapTarget> targets, long epoch) {
    return new SlotTable(
        SlotFill.empty(targets).stream()
            .map(place -> Slot.at(new SlotHolder(place, epoch)))
            .toList());
  }

  /** Who has the slot of this key. Allocates nothing. */
  public Slot of(BucketId bucket, ObjectKey key) {
    return all.get(Slot.of(bucket, key));
  }

  /** The epoch of the last change of any home. */
  public long homesSince() {
    return newest(Slot.Keys.PRIMARY);
  }

  /** The epoch of the last change of any owner or taker. */
  public long ownersSince() {
    return newest(Slot.Keys.REVALIDATED);
  }

  private long newest(Slot.Keys keys) {
    return all.stream().mapToLong(slot -> slot.holder(keys).since()).max().orElseThrow();
  }

  /** How many slots satisfy this. */
  public int count(Predicate<Slot> wanted) {
    return (int) all.stream().filter(wanted).count();
  }

  /** The places of all slots by this choice. */
  List<DiskPlace> places(Function<Slot, DiskPlace> place) {
    return all.stream().map(place).toList();
  }

  /** Every slot changed by its number. */
  SlotTable with(SlotChange change) {
    List<Slot> changed = new ArrayList<>(Slot.COUNT);
    for (int number = 0; number < Slot.COUNT; number++) {
      changed.add(change.apply(number, all.get(number)));
    }
    return new SlotTable(changed);
  }

  /** A change of one slot. */
  interface SlotChange {
    Slot apply(int number, Slot slot);
  }
}
