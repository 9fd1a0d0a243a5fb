package dev.tarn.targetnode.store.space;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.targetnode.store.Change;
import dev.tarn.targetnode.store.CommitView;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.index.IndexEntry;
import dev.tarn.targetnode.store.index.OlderRecords;
import dev.tarn.targetnode.store.log.Log;
import dev.tarn.targetnode.store.log.RecordLocation;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.LogEntry.ObjectDeleted;
import dev.tarn.targetnode.store.record.LogEntry.ObjectStored;
import dev.tarn.targetnode.store.record.LogEntry.PartStored;
import dev.tarn.targetnode.store.record.LogEntry.UploadAborted;
import dev.tarn.targetnode.store.record.LogEntry.UploadCreated;
import dev.tarn.targetnode.store.record.LogEntry.VersionDeleted;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a record again at the end of the log if it is still valid. A tombstone or the mark of an
 * ended upload is valid as long as other segments may hold records that it cancels. After that it
 * is removed from the index. The copy has the bytes of the record, with optional fields of a newer
 * release.
 */
final class Relocation implements Change<Boolean> {
  private final LogEntry entry;
  private final byte[] encoded;
  private final RecordLocation at;
  private final ByteBuffer payload;
  private final Log log;

  Relocation(LogEntry entry, byte[] encoded, RecordLocation at, ByteBuffer payload, Log log) {
    this.entry = entry;
    this.encoded = encoded;
    this.at = at;
    this.payload = payload;
    this.log = log;
  }

  @Override
  public Decision<Boolean> decide(CommitView view) throws IOException {
    return switch (entry) {
      case ObjectStored stored -> {
        ObjectMetadata metadata = stored.object().metadata();
        if (isHere(view.entry(metadata.name(), metadata.version()))) {
          yield copy();
        }
        String uploadId = stored.object().uploadId();
        yield uploadId.isEmpty()
            ? new Decision.Nothing<>(false)
            : cancelling(
                view.uploadEntry(metadata.name(), uploadId),
                new Decision.Write<>(new UploadAborted(metadata.name(), uploadId), true));
      }
      case ObjectDeleted deleted ->
          cancelling(view.entry(deleted.name(), deleted.version()), copy());
      case VersionDeleted deleted ->
          cancelling(view.entry(deleted.name(), deleted.version()), copy());
      case UploadCreated created ->
          ifHere(view.uploadEntry(created.upload().name(), created.upload().id()));
      case PartStored stored ->
          ifHere(view.partEntry(stored.part().uploadId(), stored.part().part().number()));
      case UploadAborted aborted ->
          cancelling(view.uploadEntry(aborted.name(), aborted.uploadId()), copy());
    };
  }

  private Decision.Write<Boolean> copy() {
    return new Decision.Write<>(entry, encoded, payload, true);
  }

  private Decision<Boolean> ifHere(@Nullable IndexEntry present) {
    return isHere(present) ? copy() : new Decision.Nothing<>(false);
  }

  private Decision<Boolean> cancelling(
      @Nullable IndexEntry present, Decision.Write<Boolean> write) {
    if (present == null || !isHere(present)) {
      return new Decision.Nothing<>(false);
    }
    return isNeeded(present, log) ? write : new Decision.Forget<>(write.entry(), true);
  }

  private boolean isHere(@Nullable IndexEntry present) {
    return present != null && isAt(present, at);
  }

  /** Whether an entry is that of the record at this place. */
  static boolean isAt(IndexEntry entry, RecordLocation at) {
    return entry.location().segment() == at.segment() && entry.location().offset() == at.offset();
  }

  /** Whether segments other than its own may hold records that an entry cancels. */
  static boolean isNeeded(IndexEntry entry, Log log) {
    OlderRecords older = entry.older();
    long own = entry.location().segment();
    return !older.isNone()
        && (log.hasSegmentIn(older.fromSegment(), Math.min(older.toSegment(), own - 1))
            || log.hasSegmentIn(Math.max(older.fromSegment(), own + 1), older.toSegment()));
  }
}
