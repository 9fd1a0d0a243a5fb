package dev.tarn.targetnode.store.space;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.targetnode.store.Change;
import dev.tarn.targetnode.store.CommitView;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.index.IndexEntry;
import dev.tarn.targetnode.store.log.Log;
import dev.tarn.targetnode.store.log.RecordLocation;
import dev.tarn.targetnode.store.record.LogEntry;
import java.io.IOException;

/**
 * Lets a small cached object leave with the segment that has its record. If other segments may have
 * older records of the object, a tombstone cancels them.
 */
final class Departure implements Change<Boolean> {
  private final LogEntry.ObjectStored entry;
  private final RecordLocation at;
  private final Log log;
  private final Runnable stillHere;
  private final boolean isLast;

  private Departure(
      LogEntry.ObjectStored entry, RecordLocation at, Log log, Runnable stillHere, boolean isLast) {
    this.entry = entry;
    this.at = at;
    this.log = log;
    this.stillHere = stillHere;
    this.isLast = isLast;
  }

  /**
   * Writes the tombstone, if one is needed.
   *
   * @param stillHere runs on the committing thread if the object stays in the index for now
   */
  static Departure announced(
      LogEntry.ObjectStored entry, RecordLocation at, Log log, Runnable stillHere) {
    return new Departure(entry, at, log, stillHere, false);
  }

  /** Removes the object from the index; a replay passes over its record from now on. */
  static Departure last(LogEntry.ObjectStored entry, RecordLocation at, Log log) {
    return new Departure(entry, at, log, () -> {}, true);
  }

  @Override
  public Decision<Boolean> decide(CommitView view) throws IOException {
    ObjectMetadata metadata = entry.object().metadata();
    IndexEntry present = view.entry(metadata.name(), metadata.version());
    if (present == null || !Relocation.isAt(present, at)) {
      return new Decision.Nothing<>(false);
    }
    if (Relocation.isNeeded(present, log)) {
      return new Decision.Write<>(
          new LogEntry.ObjectDeleted(metadata.name(), view.nextVersion()), true);
    }
    stillHere.run();
    return isLast ? new Decision.Forget<>(entry, true) : new Decision.Nothing<>(true);
  }
}
