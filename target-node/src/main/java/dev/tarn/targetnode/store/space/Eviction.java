package dev.tarn.targetnode.store.space;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.Evicted;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.index.IndexCursor;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.ObjectRecord;
import java.io.IOException;

/** Drops cached objects from one disk. It never touches an object whose primary copy is here. */
public final class Eviction {
  private final DiskStore store;

  public Eviction(DiskStore store) {
    this.store = requireNonNull(store, "store is null");
  }

  /**
   * Drops objects whose keys begin with the prefix, and frees their space; blocks.
   *
   * @param objectsMax how many at most
   */
  public Evicted evict(BucketId bucket, String prefix, int objectsMax) throws IOException {
    Removals removals = new Removals(store);
    long bytes = 0;
    boolean more = false;
    try (IndexCursor cursor = store.index().objects(bucket, prefix.getBytes(UTF_8))) {
      while (!more && cursor.nextObject()) {
        if (cursor.entry().entry() instanceof LogEntry.ObjectStored stored
            && stored.object().metadata().origin() != null) {
          more = removals.count() == objectsMax;
          if (!more) {
            bytes += evict(stored.object(), removals);
          }
        }
      }
    }
    removals.finish();
    return new Evicted(removals.count(), bytes, more);
  }

  private static long evict(ObjectRecord object, Removals removals) throws IOException {
    removals.remove(object.metadata());
    return object.storedBytes();
  }
}
