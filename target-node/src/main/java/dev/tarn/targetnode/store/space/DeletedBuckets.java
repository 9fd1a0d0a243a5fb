package dev.tarn.targetnode.store.space;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.targetnode.store.Change;
import dev.tarn.targetnode.store.CommitResult;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.index.IndexCursor;
import dev.tarn.targetnode.store.record.LogEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * Removes what deleted buckets have left on a disk: the objects of cached buckets, and open
 * uploads.
 *
 * <p>Each entry is cancelled by a record like that of a DELETE, so that a rebuilt index does not
 * bring it back. A sweep that was interrupted continues with what is left. One step removes a
 * bounded number of entries; compaction can run between the steps and free what they leave.
 */
public final class DeletedBuckets {
  private static final int UNDERWAY_MAX = 64;

  private final DiskStore store;
  private final Predicate<BucketId> isDeleted;
  private final int entriesMax;
  private final List<CompletableFuture<CommitResult<Boolean>>> underway = new ArrayList<>();
  private int removed;

  /**
   * Sweeps this disk.
   *
   * @param isDeleted whether a bucket existed and was deleted; false for a bucket that is unknown
   * @param entriesMax the greatest number of entries that one step removes
   */
  public DeletedBuckets(DiskStore store, Predicate<BucketId> isDeleted, int entriesMax) {
    this.store = requireNonNull(store, "store is null");
    this.isDeleted = requireNonNull(isDeleted, "isDeleted is null");
    this.entriesMax = entriesMax;
  }

  /**
   * Takes one step and returns how many entries it removed, with their space; blocks. If the number
   * is below the greatest, nothing is left.
   */
  public int sweep() throws IOException {
    removed = 0;
    try (IndexCursor objects = store.index().allObjectsInPassing();
        IndexCursor uploads = store.index().allUploadsInPassing()) {
      walk(objects);
      walk(uploads);
    }
    await();
    if (removed > 0) {
      // Extents are removed when the records that cancel them are durable.
      commit(view -> new Decision.Nothing<>(true), Durability.DEVICE);
      await();
    }
    return removed;
  }

  private void walk(IndexCursor cursor) throws IOException {
    while (removed < entriesMax && cursor.next()) {
      BucketId bucket = cursor.bucket();
      if (!isDeleted.test(bucket)) {
        cursor.seekBehind(bucket);
      } else if (!cursor.cancels()) {
        removed++;
        commit(removal(cursor.entry().entry()), Durability.SYSTEM);
      }
    }
  }

  private static Change<Boolean> removal(LogEntry entry) {
    return switch (entry) {
      case LogEntry.ObjectStored stored -> removal(stored.object().metadata());
      case LogEntry.UploadCreated created -> Sweeper.abort(created.upload());
      case LogEntry.ObjectDeleted _,
          LogEntry.VersionDeleted _,
          LogEntry.PartStored _,
          LogEntry.UploadAborted _ ->
          throw new IllegalStateException("neither an object nor an upload: " + entry);
    };
  }

  private static Change<Boolean> removal(ObjectMetadata found) {
    ObjectName name = found.name();
    return view -> {
      if (view.version(name, found.version()) == null) {
        return new Decision.Nothing<>(false);
      }
      return new Decision.Write<>(
          found.nullVersion()
              ? new LogEntry.ObjectDeleted(name, view.nextVersion())
              : new LogEntry.VersionDeleted(name, found.version()),
          true);
    };
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
        throw new IOException(
            "an entry of a deleted bucket could not be removed: " + commit.join().outcome());
      }
    }
  }
}
