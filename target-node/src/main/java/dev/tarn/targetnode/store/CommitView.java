package dev.tarn.targetnode.store;

import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.targetnode.store.index.IndexEntry;
import dev.tarn.targetnode.store.index.IndexTransaction;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.PartRecord;
import dev.tarn.targetnode.store.record.UploadRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of the disk as a {@link Change} sees it. Valid only while the change decides. */
public final class CommitView {
  private final IndexTransaction transaction;
  private final VersionClock clock;

  CommitView(IndexTransaction transaction, VersionClock clock) {
    this.transaction = transaction;
    this.clock = clock;
  }

  /** The newest version of an object, or null if there is none or it is a delete marker. */
  public @Nullable ObjectRecord object(ObjectName name) throws IOException {
    ObjectRecord newest = stored(transaction.find(name));
    return newest == null || newest.metadata().deleteMarker() ? null : newest;
  }

  /** This version of an object, which may be a delete marker, or null if it does not exist. */
  public @Nullable ObjectRecord version(ObjectName name, ObjectVersion version) throws IOException {
    return stored(transaction.find(name, version));
  }

  /**
   * The null version of an object, which may be a delete marker, or null if it does not exist.
   * Takes one step for each newer entry of the name: none in a bucket without versioning.
   */
  public @Nullable ObjectRecord nullVersion(ObjectName name) throws IOException {
    return stored(transaction.findNull(name));
  }

  private static @Nullable ObjectRecord stored(@Nullable IndexEntry entry) {
    return entry != null && entry.entry() instanceof LogEntry.ObjectStored stored
        ? stored.object()
        : null;
  }

  /**
   * The entry of a version or of its tombstone, with the location of its record; null if there is
   * none.
   */
  public @Nullable IndexEntry entry(ObjectName name, ObjectVersion version) throws IOException {
    return transaction.find(name, version);
  }

  /** The entry of an upload, open or ended, or null. */
  public @Nullable IndexEntry uploadEntry(ObjectName name, String uploadId) throws IOException {
    return transaction.findUpload(name, uploadId);
  }

  /** The entry of a part, or null. */
  public @Nullable IndexEntry partEntry(String uploadId, int number) throws IOException {
    return transaction.findPart(uploadId, number);
  }

  /** An open upload, or null. */
  public @Nullable UploadRecord upload(ObjectName name, String uploadId) throws IOException {
    IndexEntry entry = transaction.findUpload(name, uploadId);
    return entry != null && entry.entry() instanceof LogEntry.UploadCreated created
        ? created.upload()
        : null;
  }

  /** A part of an open upload, or null. */
  public @Nullable PartRecord part(String uploadId, int number) throws IOException {
    IndexEntry entry = transaction.findPart(uploadId, number);
    return entry != null && entry.entry() instanceof LogEntry.PartStored stored
        ? stored.part()
        : null;
  }

  /** All parts of an open upload in order of number. */
  public List<PartRecord> parts(String uploadId) throws IOException {
    List<PartRecord> parts = new ArrayList<>();
    for (IndexEntry entry : transaction.parts(uploadId)) {
      parts.add(((LogEntry.PartStored) entry.entry()).part());
    }
    return parts;
  }

  /** A version greater than any that this disk has assigned before. */
  public ObjectVersion nextVersion() {
    return clock.next();
  }

  /** The epoch of the cluster map in which this commit happens. */
  public long mapEpoch() {
    return clock.mapEpoch();
  }

  /** The time in milliseconds since 1970; never earlier than the time of an assigned version. */
  public long nowMs() {
    return clock.nowMs();
  }
}
