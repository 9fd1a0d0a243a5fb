package dev.tarn.targetnode.store;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.targetnode.store.index.IndexEntry;
import dev.tarn.targetnode.store.index.IndexTransaction;
import dev.tarn.targetnode.store.index.OlderRecords;
import dev.tarn.targetnode.store.log.RecordLocation;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.LogEntry.ObjectDeleted;
import dev.tarn.targetnode.store.record.LogEntry.ObjectStored;
import dev.tarn.targetnode.store.record.LogEntry.PartStored;
import dev.tarn.targetnode.store.record.LogEntry.UploadAborted;
import dev.tarn.targetnode.store.record.LogEntry.UploadCreated;
import dev.tarn.targetnode.store.record.LogEntry.VersionDeleted;
import dev.tarn.targetnode.store.record.LogEntryCodec;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Piece;
import dev.tarn.targetnode.store.room.CachedRecords;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Applies records to the index: the one definition of what a record means, used by commits, replay
 * and compaction.
 *
 * <p>A name has one slot for its null version, and one for each other version. A slot has one
 * entry: an object, a delete marker or a tombstone. The winner of a slot does not depend on the
 * order in which the records arrive, nor on how often:
 *
 * <ol>
 *   <li>In the slot of the null version, the greatest version wins.
 *   <li>In every slot, a tombstone wins over an object of the same version.
 *   <li>Of one version, the greatest revision wins; of one revision, the record that came last,
 *       which is a copy by compaction.
 * </ol>
 *
 * <p>The record that loses is dead. The entry that wins remembers in which segments dead records
 * are: see {@link OlderRecords}.
 */
final class EntryApplier {
  private final IndexTransaction index;
  private final Set<Long> released = new HashSet<>();
  private final List<CachedRecords.Change> cachedRecords = new ArrayList<>();
  private boolean isForgetting;

  EntryApplier(IndexTransaction index) {
    this.index = index;
  }

  void apply(LogEntry entry, byte[] bytes, RecordLocation at) throws IOException {
    switch (entry) {
      case ObjectStored stored -> applyObject(stored, bytes, at);
      case ObjectDeleted deleted ->
          applyTombstone(deleted.name(), index.findNull(deleted.name()), deleted, bytes, at);
      case VersionDeleted deleted ->
          applyTombstone(
              deleted.name(), index.find(deleted.name(), deleted.version()), deleted, bytes, at);
      case UploadCreated created -> applyUpload(created, bytes, at);
      case PartStored stored -> applyPart(stored, bytes, at);
      case UploadAborted aborted -> endUpload(aborted.name(), aborted.uploadId(), bytes, at);
    }
  }

  /** Removes a tombstone, the mark of an ended upload, or an object that cancels nothing. */
  void forget(LogEntry entry) throws IOException {
    if (entry instanceof ObjectStored stored) {
      ObjectMetadata metadata = stored.object().metadata();
      isForgetting = true;
      forget(metadata.name(), index.find(metadata.name(), metadata.version()));
      isForgetting = false;
    } else if (entry instanceof ObjectDeleted deleted) {
      forget(deleted.name(), index.find(deleted.name(), deleted.version()));
    } else if (entry instanceof VersionDeleted deleted) {
      forget(deleted.name(), index.find(deleted.name(), deleted.version()));
    } else if (entry instanceof UploadAborted aborted) {
      index.removeUpload(aborted.name(), aborted.uploadId());
    }
  }

  private void forget(ObjectName name, @Nullable IndexEntry present) throws IOException {
    if (present != null) {
      retire(present);
      index.remove(name, present);
    }
  }

  /** Removes a part whose upload is not open; returns whether it removed the part. */
  boolean dropIfOrphaned(IndexEntry entry) throws IOException {
    PartStored part = (PartStored) entry.entry();
    String uploadId = part.part().uploadId();
    IndexEntry upload = index.findUpload(part.name(), uploadId);
    if (upload != null && upload.entry() instanceof UploadCreated) {
      return false;
    }
    retire(entry);
    index.removePart(uploadId, part.part().part().number());
    return true;
  }

  /** The extents that records named before, and that no record names now. */
  Set<Long> releasedExtents() throws IOException {
    Set<Long> unused = new HashSet<>();
    for (long extent : released) {
      if (index.addReferences(extent, 0) <= 0) {
        unused.add(extent);
      }
    }
    return unused;
  }

  /** What has changed of small cached objects, in order. */
  List<CachedRecords.Change> cachedRecords() {
    return cachedRecords;
  }

  private void note(LogEntry entry, RecordLocation at, boolean isValid) {
    CachedRecords.Change change = CachedRecords.Change.of(entry, at, isValid, isForgetting);
    if (change != null) {
      cachedRecords.add(change);
    }
  }

  private void applyObject(ObjectStored stored, byte[] bytes, RecordLocation at)
      throws IOException {
    var object = stored.object();
    ObjectName name = object.metadata().name();
    IndexEntry former =
        object.metadata().nullVersion()
            ? index.findNull(name)
            : index.find(name, object.metadata().version());
    if (former == null || !beats(former, object)) {
      hold(object.pieces());
      OlderRecords older = retire(former);
      index.addLiveBytes(at.segment(), at.recordLength());
      index.replace(name, former, new IndexEntry(at, older, stored), bytes);
      note(stored, at, true);
    } else {
      noteDead(name, former, at);
    }
    if (!object.uploadId().isEmpty()) {
      byte[] mark = LogEntryCodec.encode(new UploadAborted(name, object.uploadId()));
      endUpload(name, object.uploadId(), mark, at);
    }
  }

  /** Whether an entry stays in its slot when the record of this object arrives. */
  private static boolean beats(IndexEntry entry, ObjectRecord object) {
    int order = entry.version().compareTo(object.metadata().version());
    return order > 0
        || (order == 0
            && (!(entry.entry() instanceof ObjectStored stored)
                || stored.object().revision().compareTo(object.revision()) > 0));
  }

  /** Puts a tombstone into the slot of what it cancels; does nothing if the slot is empty. */
  private void applyTombstone(
      ObjectName name,
      @Nullable IndexEntry former,
      LogEntry tombstone,
      byte[] bytes,
      RecordLocation at)
      throws IOException {
    if (former == null) {
      return;
    }
    IndexEntry entry = new IndexEntry(at, OlderRecords.NONE, tombstone);
    if (former.version().compareTo(entry.version()) > 0) {
      noteDead(name, former, at);
      return;
    }
    OlderRecords older = retire(former);
    index.addLiveBytes(at.segment(), at.recordLength());
    index.replace(name, former, new IndexEntry(at, older, tombstone), bytes);
  }

  /** Remembers the segment of a record that lost against the present entry. */
  private void noteDead(ObjectName name, IndexEntry winner, RecordLocation at) throws IOException {
    index.setOlder(name, winner, winner.older().and(at.segment()));
  }

  /** Marks the record of an entry as dead and returns the segments of all dead records. */
  private OlderRecords retire(@Nullable IndexEntry former) throws IOException {
    if (former == null) {
      return OlderRecords.NONE;
    }
    RecordLocation at = former.location();
    index.addLiveBytes(at.segment(), -at.recordLength());
    note(former.entry(), at, false);
    if (former.entry() instanceof ObjectStored stored) {
      release(stored.object().pieces());
    } else if (former.entry() instanceof PartStored stored) {
      release(stored.part().pieces());
    }
    return former.older().and(at.segment());
  }

  private void applyUpload(UploadCreated created, byte[] bytes, RecordLocation at)
      throws IOException {
    var upload = created.upload();
    IndexEntry former = index.findUpload(upload.name(), upload.id());
    if (former != null && !(former.entry() instanceof UploadCreated)) {
      noteDeadInUpload(upload.name(), upload.id(), former, at);
      return;
    }
    OlderRecords older = retire(former);
    index.addLiveBytes(at.segment(), at.recordLength());
    index.putUpload(upload.name(), upload.id(), at, older, bytes);
  }

  private void noteDeadInUpload(ObjectName name, String uploadId, IndexEntry end, RecordLocation at)
      throws IOException {
    index.setUploadOlder(name, uploadId, end.older().and(at.segment()));
  }

  /**
   * Stores a part, even if its upload does not exist. During a rebuild the upload's record may come
   * later, because compaction can move it behind the records of its parts.
   */
  private void applyPart(PartStored stored, byte[] bytes, RecordLocation at) throws IOException {
    var part = stored.part();
    IndexEntry upload = index.findUpload(stored.name(), part.uploadId());
    if (upload != null && !(upload.entry() instanceof UploadCreated)) {
      noteDeadInUpload(stored.name(), part.uploadId(), upload, at);
      return;
    }
    int number = part.part().number();
    IndexEntry former = index.findPart(part.uploadId(), number);
    if (former != null
        && former.entry() instanceof PartStored present
        && present.part().revision().compareTo(part.revision()) > 0) {
      index.setPartOlder(part.uploadId(), number, former.older().and(at.segment()));
      return;
    }
    hold(part.pieces());
    OlderRecords older = retire(former);
    index.addLiveBytes(at.segment(), at.recordLength());
    index.putPart(part.uploadId(), number, at, older, bytes);
  }

  /**
   * Ends an upload and removes its parts. A mark stays in its place as long as older segments may
   * hold records of the upload. The mark stands for the record at {@code at}.
   *
   * @param mark an encoded {@link UploadAborted}
   */
  private void endUpload(ObjectName name, String uploadId, byte[] mark, RecordLocation at)
      throws IOException {
    IndexEntry upload = index.findUpload(name, uploadId);
    OlderRecords older;
    if (upload != null && !(upload.entry() instanceof UploadCreated)) {
      older = upload.older();
    } else {
      older = retire(upload);
      for (IndexEntry part : index.parts(uploadId)) {
        older = older.and(retire(part));
        index.removePart(uploadId, ((PartStored) part.entry()).part().part().number());
      }
    }
    if (upload == null && older.isNone()) {
      return;
    }
    index.putUpload(name, uploadId, at, older, mark);
  }

  private void hold(List<Piece> pieces) throws IOException {
    for (long extent : Piece.extents(pieces)) {
      index.addReferences(extent, 1);
    }
  }

  private void release(List<Piece> pieces) throws IOException {
    for (long extent : Piece.extents(pieces)) {
      index.addReferences(extent, -1);
      released.add(extent);
    }
  }
}
