package dev.tarn.targetnode.store.space;

import dev.tarn.targetnode.store.Change;
import dev.tarn.targetnode.store.CommitResult;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.index.IndexCursor;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.UploadRecord;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes extents that no record names, such as those of a crash before the commit, and aborts
 * uploads that are older than the limit.
 */
public final class Sweeper {
  private final DiskStore store;
  private final Clock clock;

  public Sweeper(DiskStore store, Clock clock) {
    this.store = store;
    this.clock = clock;
  }

  /** Sweeps one folder of extents and returns how many it removed; blocks. */
  public int sweepExtents(int directory) throws IOException {
    List<Long> unnamed = new ArrayList<>();
    for (long extent : store.extents().list(directory)) {
      // Keep this order: a writer stops holding its extent only after the index names it.
      if (!store.extents().isUnderway(extent) && store.index().references(extent) == 0) {
        unnamed.add(extent);
      }
    }
    if (unnamed.isEmpty() || !isDurable()) {
      return 0;
    }
    unnamed.forEach(store.extents()::remove);
    return unnamed.size();
  }

  /**
   * Makes the commits that released the extents durable. A loss of power would otherwise bring back
   * the records that name them. False if that failed.
   */
  private boolean isDurable() {
    return store
            .commit(view -> new Decision.Nothing<>(true), Durability.DEVICE)
            .toCompletableFuture()
            .join()
        instanceof CommitResult.Committed<Boolean>;
  }

  /** Aborts all uploads past their age and returns how many it aborted; blocks. */
  public int sweepUploads() throws IOException {
    long before = clock.millis() - store.settings().uploadAgeMsMax();
    int removed = 0;
    try (IndexCursor cursor = store.index().allUploads()) {
      while (cursor.next()) {
        if (cursor.entry().entry() instanceof LogEntry.UploadCreated created
            && created.upload().initiatedMs() < before
            && wasAborted(created.upload())) {
          removed++;
        }
      }
    }
    return removed;
  }

  /** Aborts an upload. False if it had ended, or if the disk did not take the change. */
  private boolean wasAborted(UploadRecord upload) {
    CommitResult<Boolean> result =
        store.commit(abort(upload), Durability.SYSTEM).toCompletableFuture().join();
    return result instanceof CommitResult.Committed<Boolean>(Boolean aborted) && aborted;
  }

  /** The change that aborts an upload; its result is false if the upload has ended. */
  static Change<Boolean> abort(UploadRecord upload) {
    return view ->
        view.upload(upload.name(), upload.id()) == null
            ? new Decision.Nothing<>(false)
            : new Decision.Write<>(new LogEntry.UploadAborted(upload.name(), upload.id()), true);
  }
}
