package dev.tarn.targetnode.store.space;

import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.index.IndexCursor;
import dev.tarn.targetnode.store.index.IndexEntry;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.Unit;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes units that belong to no cached object, such as those of a fetch that ended after its
 * object was replaced, and learns which buckets the others belong to. It opens every unit, so it is
 * rarely run.
 */
public final class UnitSweeper {
  private static final Logger LOG = LoggerFactory.getLogger(UnitSweeper.class);
  private static final int DIRECTORIES = 256;

  /** Exists on a disk that has no cached object of an earlier release any more. */
  private static final String UNITS_ONLY = "cached-in-units";

  private final DiskStore store;
  private final BooleanSupplier stop;

  /**
   * Sweeps this disk.
   *
   * @param stop ends a sweep early if true; asked before each unit
   */
  public UnitSweeper(DiskStore store, BooleanSupplier stop) {
    this.store = store;
    this.stop = stop;
  }

  /** Sweeps once and returns how many units it removed; blocks. */
  public int sweep() throws IOException {
    dropEarlierForm();
    int removed = 0;
    for (int directory = 0; directory < DIRECTORIES; directory++) {
      for (long id : store.units().list(directory)) {
        if (stop.getAsBoolean()) {
          return removed;
        }
        if (isRemoved(id)) {
          removed++;
        }
      }
    }
    return removed;
  }

  /** Removes a unit if it belongs to no cached object. A unit that cannot be read stays. */
  private boolean isRemoved(long id) {
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

  /** Drops the cached objects whose bytes an earlier release kept in extents; reads ignore them. */
  private void dropEarlierForm() throws IOException {
    if (store.disk().exists(UNITS_ONLY)) {
      return;
    }
    Removals removals = new Removals(store);
    try (IndexCursor cursor = store.index().allObjectsInPassing()) {
      while (!stop.getAsBoolean() && cursor.next()) {
        if (!cursor.cancels()
            && cursor.entry().entry() instanceof LogEntry.ObjectStored stored
            && stored.object().isCachedInExtents()) {
          removals.remove(stored.object());
        }
      }
    }
    removals.finish();
    if (stop.getAsBoolean()) {
      return;
    }
    store.disk().create(UNITS_ONLY).close();
    if (removals.count() > 0) {
      LOG.info(
          "Dropped {} cached objects from {}: an earlier release wrote them in another form, and"
              + " the next reads fetch them again",
          removals.count(),
          store.disk().description());
    }
  }
}
