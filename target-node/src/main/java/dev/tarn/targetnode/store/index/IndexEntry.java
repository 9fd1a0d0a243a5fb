package dev.tarn.targetnode.store.index;

import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.targetnode.store.log.RecordLocation;
import dev.tarn.targetnode.store.record.BinaryReader;
import dev.tarn.targetnode.store.record.BinaryWriter;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.LogEntryCodec;

/**
 * What the index says of one key: the newest entry of the log, where its record is, and where older
 * records of the same key may still be.
 *
 * @param location of the record
 * @param older the segments that may hold older records
 * @param entry what the record says
 */
public record IndexEntry(RecordLocation location, OlderRecords older, LogEntry entry) {
  private static final int NUMBERS_BEFORE_ENTRY = 6;

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
      default -> throw new IllegalStateException("an entry of an upload has no version");
    };
  }

  /** Whether it only cancels others: a tombstone, or the mark of an upload that is over. */
  boolean cancels() {
    return entry instanceof LogEntry.ObjectDeleted
        || entry instanceof LogEntry.VersionDeleted
        || entry instanceof LogEntry.UploadAborted;
  }

  /** The bytes kept in the index; {@code entryBytes} is the entry as the log has it. */
  static byte[] encode(RecordLocation location, OlderRecords older, byte[] entryBytes) {
    BinaryWriter out = new BinaryWriter();
    out.putNumber(location.segment()).putNumber(location.offset());
    out.putNumber(location.payloadLength())
        .putNumber(Integer.toUnsignedLong(location.payloadCrc()));
    out.putNumber(older.fromSegment()).putNumber(older.toSegment());
    return out.putBytes(entryBytes).toBytes();
  }

  /** Whether what {@link #encode} gave is an entry that only cancels others. */
  static boolean cancels(byte[] bytes) {
    BinaryReader in = new BinaryReader(bytes, 0);
    for (int i = 0; i < NUMBERS_BEFORE_ENTRY; i++) {
      in.getNumber();
    }
    in.getCount();
    return LogEntryCodec.cancels(in.get());
  }

  static IndexEntry decode(byte[] bytes) {
    BinaryReader in = new BinaryReader(bytes, 0);
    long segment = in.getNumber();
    long offset = in.getNumber();
    int payloadLength = (int) in.getNumber();
    int payloadCrc = (int) in.getNumber();
    OlderRecords older = new OlderRecords(in.getNumber(), in.getNumber());
    byte[] entry = in.getBytes();
    return new IndexEntry(
        new RecordLocation(segment, offset, entry.length, payloadLength, payloadCrc),
        older,
        LogEntryCodec.decode(entry, 0));
  }
}
