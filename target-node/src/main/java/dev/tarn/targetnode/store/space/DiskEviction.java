package dev.tarn.targetnode.store.space;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.target.Evicted;
import dev.tarn.cluster.target.OutdatedKey;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.index.IndexCursor;
import dev.tarn.targetnode.store.index.IndexEntry;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.ObjectRecord;
import java.io.IOException;
import java.util.List;

/** Drops cached objects from one disk. It never touches an object whose primary copy is here. */
public final class DiskEviction {
  private final DiskStore store;

  public DiskEviction(DiskStore store) {
    this.store = requireNonNull(store, "store is null");
  }

  /**
   * Drops objects whose keys begin with the prefix, and frees their space; blocks.
   *
   * @param after only objects with greater keys are dropped; empty for all
   * @param objectsMax how many at most
   */
  public Evicted evict(BucketId bucket, String prefix, String after, int objectsMax)
      throws IOException {
    Removals removals = new Removals(store);
    long bytes = 0;
    String last = "";
    boolean more = false;
    removals.awaitEarlier();
    try (IndexCursor cursor = store.index().objects(bucket, prefix.getBytes(UTF_8))) {
      if (!after.isEmpty()) {
        cursor.seekObjectBehind(bucket, after.getBytes(UTF_8), true);
      }
      while (!more && cursor.nextObject()) {
        if (cursor.entry().entry() instanceof LogEntry.ObjectStored stored
            && stored.object().metadata().origin() != null) {
          more = removals.count() == objectsMax;
          if (!more) {
            last = stored.object().metadata().name().key().text();
            bytes += removals.remove(stored.object());
          }
        }
      }
    }
    removals.finish();
    return new Evicted(removals.count(), bytes, more ? last : "");
  }

  /** Drops these objects, but those that have the ETag of now; blocks. */
  public Evicted evict(BucketId bucket, List<OutdatedKey> keys) throws IOException {
    Removals removals = new Removals(store);
    long bytes = 0;
    removals.awaitEarlier(); // A read may be about to keep what the backend had before.
    for (OutdatedKey outdated : keys) {
      IndexEntry entry = store.index().find(new ObjectName(bucket, outdated.key()));
      if (entry != null
          && entry.entry() instanceof LogEntry.ObjectStored(ObjectRecord object)
          && object.metadata().origin() != null
          && !object.metadata().etag().equals(outdated.etag())) {
        bytes += removals.remove(object);
      }
    }
    removals.finish();
    return new Evicted(removals.count(), bytes, "");
  }
}
