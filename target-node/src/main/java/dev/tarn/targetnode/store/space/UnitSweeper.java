package dev.tarn.targetnode.store.space;

import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.index.IndexEntry;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.Unit;
import java.io.IOException;
import java.util.Optional;

/**
 * Removes units that belong to no cached object, such as those of a fetch that ended after its
 * object was replaced, and learns which buckets the others belong to. It opens every unit, so it is
 * rarely run.
 */
public final class UnitSweeper {
  private final DiskStore store;

  public UnitSweeper(DiskStore store) {
    this.store = store;
  }

  /**
   * Removes a unit if it belongs to no cached object; blocks. A unit that cannot be read stays.
   *
   * @param id of the unit's file
   * @return whether the unit was removed
   */
  public boolean isRemoved(long id) {
    try {
      Optional<Unit> unit = store.units().read(id);
      if (unit.isEmpty() || belongs(unit.orElseThrow())) {
        return false;
      }
      store.units().remove(unit.orElseThrow());
      return true;
    } catch (IOException e) {
      store.health().failureOf(e); // Counts and logs it.
      return false;
    }
  }

  /** Whether the unit is one of the object that is cached under its name. */
  private boolean belongs(Unit unit) throws IOException {
    IndexEntry entry = store.index().find(unit.object());
    return entry != null
        && entry.entry() instanceof LogEntry.ObjectStored stored
        && stored.object().isInUnits()
        && unit.number() < Unit.count(stored.object().metadata().sizeBytes())
        && stored.object().unit(unit.number()).equals(unit);
  }
}
