package dev.tarn.targetnode.store.space;

import dev.tarn.targetnode.store.Change;
import dev.tarn.targetnode.store.CommitResult;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.index.IndexCursor;
import dev.tarn.targetnode.store.index.IndexEntry;
import dev.tarn.targetnode.store.record.LogEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Removes tombstones and the marks of ended uploads from the index when no segment but their own
 * can hold what they cancel. Listings would otherwise walk them. Their records stay until their
 * segment is freed. A rebuild of the index brings them back, together with what they cancel.
 */
public final class Tombstones {
  private static final int UNDERWAY_MAX = 64;

  private final DiskStore store;
  private final List<CompletableFuture<CommitResult<Boolean>>> underway = new ArrayList<>();
  private int forgotten;

  public Tombstones(DiskStore store) {
    this.store = store;
  }

  /** Walks the index once and returns the number of entries removed; blocks. */
  public int forget() throws IOException {
    forgotten = 0;
    try (IndexCursor objects = store.index().allObjectsInPassing();
        IndexCursor uploads = store.index().allUploadsInPassing()) {
      walk(objects);
      walk(uploads);
    }
    await();
    return forgotten;
  }

  private void walk(IndexCursor cursor) throws IOException {
    while (cursor.next()) {
      if (!cursor.cancels()) {
        continue;
      }
      IndexEntry found = cursor.entry();
      if (isNeeded(found)) {
        continue;
      }
      switch (found.entry()) {
        case LogEntry.ObjectDeleted deleted ->
            commit(view -> decide(found, view.entry(deleted.name(), deleted.version())));
        case LogEntry.VersionDeleted deleted ->
            commit(view -> decide(found, view.entry(deleted.name(), deleted.version())));
        case LogEntry.UploadAborted aborted ->
            commit(view -> decide(found, view.uploadEntry(aborted.name(), aborted.uploadId())));
        case LogEntry.ObjectStored _, LogEntry.UploadCreated _, LogEntry.PartStored _ ->
            throw new IllegalStateException("no tombstone: " + found.entry());
      }
    }
  }

  private boolean isNeeded(IndexEntry entry) {
    return Relocation.isNeeded(entry, store.log());
  }

  private Decision<Boolean> decide(IndexEntry found, @Nullable IndexEntry present) {
    return present != null
            && present.location().equals(found.location())
            && present.entry().equals(found.entry())
            && !isNeeded(present)
        ? new Decision.Forget<>(present.entry(), true)
        : new Decision.Nothing<>(false);
  }

  private void commit(Change<Boolean> change) throws IOException {
    underway.add(store.commit(change, Durability.SYSTEM).toCompletableFuture());
    if (underway.size() >= UNDERWAY_MAX) {
      await();
    }
  }

  private void await() throws IOException {
    for (CompletableFuture<CommitResult<Boolean>> commit : underway) {
      if (!(commit.join() instanceof CommitResult.Committed<Boolean> done)) {
        throw new IOException("a tombstone could not be forgotten: " + commit.join());
      }
      forgotten += done.value() ? 1 : 0;
    }
    underway.clear();
  }
}
