package dev.tarn.targetnode.store.space;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.targetnode.store.Change;
import dev.tarn.targetnode.store.CommitResult;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.ObjectRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Removes entries of one disk, many at a time. Blocks; for one thread. */
final class Removals {
  private static final int UNDERWAY_MAX = 64;

  private final DiskStore store;
  private final List<CompletableFuture<CommitResult<Boolean>>> underway = new ArrayList<>();
  private int count;

  Removals(DiskStore store) {
    this.store = store;
  }

  /** Waits until the index has all changes that were decided before. */
  void awaitEarlier() throws IOException {
    commit(view -> new Decision.Nothing<>(true), Durability.SYSTEM);
    await();
  }

  /** The number of entries that were given to be removed. */
  int count() {
    return count;
  }

  /**
   * Removes this version, if it still exists, and its units. Returns the number of bytes on the
   * disk that this makes free.
   */
  long remove(ObjectRecord object) throws IOException {
    long unitBytes = store.units().remove(object);
    ObjectMetadata found = object.metadata();
    ObjectName name = found.name();
    remove(view -> {
      if (view.version(name, found.version()) == null) {
        return new Decision.Nothing<>(false);
      }
      return new Decision.Write<>(
          found.nullVersion()
              ? new LogEntry.ObjectDeleted(name, view.nextVersion())
              : new LogEntry.VersionDeleted(name, found.version()),
          true);
    });
    return unitBytes + object.storedBytes();
  }

  /** Removes an entry by this change. */
  void remove(Change<Boolean> change) throws IOException {
    count++;
    commit(change, Durability.SYSTEM);
  }

  /** Waits for all removals. Extents are removed when the records that cancel them are durable. */
  void finish() throws IOException {
    await();
    if (count > 0) {
      commit(view -> new Decision.Nothing<>(true), Durability.DEVICE);
      await();
    }
  }

  private void commit(Change<Boolean> change, Durability durability) throws IOException {
    underway.add(store.commit(change, durability).toCompletableFuture());
    if (underway.size() >= UNDERWAY_MAX) {
      await();
    }
  }

  private void await() throws IOException {
    List<CompletableFuture<CommitResult<Boolean>>> begun = List.copyOf(underway);
    underway.clear();
    for (CompletableFuture<CommitResult<Boolean>> commit : begun) {
      if (!(commit.join() instanceof CommitResult.Committed<Boolean>)) {
        throw new IOException("An entry could not be removed: " + commit.join().outcome());
      }
    }
  }
}
