package dev.tarn.targetnode.store.index;

import dev.tarn.cluster.codec.FieldReader;
import dev.tarn.cluster.codec.FieldWriter;
import dev.tarn.cluster.codec.MalformedMessageException;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.targetnode.store.log.RecordLocation;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.LogEntryCodec;
import dev.tarn.targetnode.store.record.MalformedRecordException;

/**
 * The content of the index for one key: the newest entry of the log, the location of its record,
 * and the segments that may hold older records of the same key.
 *
 * @param location of the record
 * @param older the segments that may hold older records
 * @param entry the content of the record
 */
public record IndexEntry(RecordLocation location, OlderRecords older, LogEntry entry) {
  /** Whether it is of the null version: an object, a delete marker, or a tombstone. */
  boolean isNull() {
    return entry instanceof LogEntry.ObjectStored stored
        ? stored.object().metadata().nullVersion()
        : entry instanceof LogEntry.ObjectDeleted;
  }

  /** The version of an object, a delete marker, or a tombstone. */
  public ObjectVersion version() {
    return switch (entry) {
      case LogEntry.ObjectStored stored -> stored.object().metadata().version();
      case LogEntry.ObjectDeleted deleted -> deleted.version();
      case LogEntry.VersionDeleted deleted -> deleted.version();
      case LogEntry.UploadCreated _, LogEntry.PartStored _, LogEntry.UploadAborted _ ->
          throw new IllegalStateException("an entry of an upload has no version");
    };
  }

  /** Whether it only cancels others: a tombstone, or the mark of an ended upload. */
  boolean cancels() {
    return entry instanceof LogEntry.ObjectDeleted
        || entry instanceof LogEntry.VersionDeleted
        || entry instanceof LogEntry.UploadAborted;
  }

  /** The bytes kept in the index; {@code entryBytes} is the entry as encoded in the log. */
  static byte[] encode(RecordLocation location, OlderRecords older, byte[] entryBytes) {
    return new FieldWriter()
        .flag(1, LogEntryCodec.cancels(entryBytes))
        .number(2, location.segment())
        .number(3, location.offset())
        .number(4, location.payloadLength(), 0)
        .unsigned(5, location.payloadCrc(), 0)
        .number(6, older.fromSegment(), 0)
        .number(7, older.toSegment(), 0)
        .number(8, location.entryLength())
        .encoded(9, entryBytes)
        .toMessage();
  }

  /** These bytes of {@link #encode} with other segments of older records. */
  static byte[] withOlder(byte[] bytes, OlderRecords older) {
    try {
      byte[] entryBytes = new FieldReader(bytes, 0).encoded(9);
      return encode(decode(bytes).location(), older, entryBytes);
    } catch (MalformedMessageException e) {
      throw malformed(e);
    }
  }

  /** Whether these bytes of {@link #encode} are an entry that only cancels others. */
  static boolean cancels(byte[] bytes) {
    try {
      return new FieldReader(bytes, 0).flag(1);
    } catch (MalformedMessageException e) {
      throw malformed(e);
    }
  }

  static IndexEntry decode(byte[] bytes) {
    try {
      FieldReader in = new FieldReader(bytes, 0);
      long segment = in.number(2);
      long offset = in.number(3);
      int payloadLength = in.integer(4, 0);
      int payloadCrc = in.unsigned(5, 0);
      OlderRecords older = new OlderRecords(in.number(6, 0), in.number(7, 0));
      int entryLength = in.integer(8);
      LogEntry entry = in.message(9, LogEntryCodec.ENTRY);
      in.end();
      return new IndexEntry(
          new RecordLocation(segment, offset, entryLength, payloadLength, payloadCrc),
          older,
          entry);
    } catch (MalformedMessageException | IllegalArgumentException e) {
      throw malformed(e);
    }
  }

  private static MalformedRecordException malformed(Exception cause) {
    return new MalformedRecordException("index entry", cause);
  }
}
