package dev.tarn.cluster.map;

import static java.util.Objects.requireNonNull;

/**
 * A disk that has a slot.
 *
 * @param since the epoch in which it got the slot; positive
 */
public record SlotHolder(DiskPlace place, long since) {
  public SlotHolder {
    requireNonNull(place, "place is null");
    if (since < 1) {
      throw new IllegalArgumentException("since of a slot is " + since + ", must be positive");
    }
  }

  public TargetId target() {
    return place.target();
  }

  public DiskId disk() {
    return place.disk();
  }

  /** The same holder if the place is unchanged; otherwise the new place since this epoch. */
  SlotHolder movedTo(DiskPlace newer, long epoch) {
    return place.equals(newer) ? this : new SlotHolder(newer, epoch);
  }
}
