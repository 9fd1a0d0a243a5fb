package dev.tarn.targetnode.store.space;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.index.IndexCursor;
import dev.tarn.targetnode.store.record.LogEntry;
import java.io.IOException;
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
  private final DiskStore store;
  private final Predicate<BucketId> isDeleted;
  private final int entriesMax;

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
    Removals removals = new Removals(store);
    try (IndexCursor objects = store.index().allObjectsInPassing();
        IndexCursor uploads = store.index().allUploadsInPassing()) {
      walk(objects, removals);
      walk(uploads, removals);
    }
    removals.finish();
    return removals.count();
  }

  private void walk(IndexCursor cursor, Removals removals) throws IOException {
    while (removals.count() < entriesMax && cursor.next()) {
      BucketId bucket = cursor.bucket();
      if (!isDeleted.test(bucket)) {
        cursor.seekBehind(bucket);
      } else if (!cursor.cancels()) {
        remove(cursor.entry().entry(), removals);
      }
    }
  }

  private static void remove(LogEntry entry, Removals removals) throws IOException {
    switch (entry) {
      case LogEntry.ObjectStored stored -> removals.remove(stored.object());
      case LogEntry.UploadCreated created -> removals.remove(Sweeper.abort(created.upload()));
      case LogEntry.ObjectDeleted _,
          LogEntry.VersionDeleted _,
          LogEntry.PartStored _,
          LogEntry.UploadAborted _ ->
          throw new IllegalStateException("neither an object nor an upload: " + entry);
    }
  }
}
