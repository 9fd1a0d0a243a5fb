package dev.tarn.targetnode.store.record;

import dev.tarn.cluster.object.ObjectName;
import dev.tarn.targetnode.store.record.LogEntry.ObjectDeleted;
import dev.tarn.targetnode.store.record.LogEntry.ObjectStored;
import dev.tarn.targetnode.store.record.LogEntry.PartStored;
import dev.tarn.targetnode.store.record.LogEntry.UploadAborted;
import dev.tarn.targetnode.store.record.LogEntry.UploadCreated;
import dev.tarn.targetnode.store.record.LogEntry.VersionDeleted;
import java.util.Optional;

/** Log entries as bytes: a type, then what belongs to it. The index keeps the same bytes. */
public final class LogEntryCodec {
  private static final int OBJECT_STORED = 1;
  private static final int OBJECT_DELETED = 2;
  private static final int UPLOAD_CREATED = 3;
  private static final int PART_STORED = 4;
  private static final int UPLOAD_ABORTED = 5;
  private static final int VERSION_DELETED = 6;

  private LogEntryCodec() {}

  /** Whether an entry whose bytes begin with this only cancels others. */
  public static boolean cancels(int type) {
    return type == OBJECT_DELETED || type == UPLOAD_ABORTED || type == VERSION_DELETED;
  }

  /** The entry's bytes. */
  public static byte[] encode(LogEntry entry) {
    BinaryWriter out = new BinaryWriter();
    switch (entry) {
      case ObjectStored stored -> writeObject(out.put(OBJECT_STORED), stored.object());
      case ObjectDeleted deleted -> {
        MetadataCodec.writeName(out.put(OBJECT_DELETED), deleted.name());
        MetadataCodec.writeVersion(out, deleted.version());
      }
      case UploadCreated created -> writeUpload(out.put(UPLOAD_CREATED), created.upload());
      case PartStored stored -> {
        MetadataCodec.writeName(out.put(PART_STORED), stored.name());
        writePart(out, stored.part());
      }
      case UploadAborted aborted -> {
        MetadataCodec.writeName(out.put(UPLOAD_ABORTED), aborted.name());
        out.putText(aborted.uploadId());
      }
      case VersionDeleted deleted -> {
        MetadataCodec.writeName(out.put(VERSION_DELETED), deleted.name());
        MetadataCodec.writeVersion(out, deleted.version());
      }
    }
    return out.toBytes();
  }

  /**
   * Reads an entry.
   *
   * @param offset where in {@code bytes} it begins
   * @throws MalformedRecordException if it is none
   */
  public static LogEntry decode(byte[] bytes, int offset) {
    try {
      return read(new BinaryReader(bytes, offset));
    } catch (IllegalArgumentException e) {
      throw new MalformedRecordException(String.valueOf(e.getMessage()));
    }
  }

  private static LogEntry read(BinaryReader in) {
    int type = in.get();
    return switch (type) {
      case OBJECT_STORED -> new ObjectStored(readObject(in));
      case OBJECT_DELETED ->
          new ObjectDeleted(MetadataCodec.readName(in), MetadataCodec.readVersion(in));
      case UPLOAD_CREATED -> new UploadCreated(readUpload(in));
      case PART_STORED -> new PartStored(MetadataCodec.readName(in), readPart(in));
      case UPLOAD_ABORTED -> new UploadAborted(MetadataCodec.readName(in), in.getText());
      case VERSION_DELETED ->
          new VersionDeleted(MetadataCodec.readName(in), MetadataCodec.readVersion(in));
      default -> throw new MalformedRecordException("record type " + type + " is unknown");
    };
  }

  private static void writeObject(BinaryWriter out, StoredObject object) {
    MetadataCodec.write(out, object.metadata());
    out.putNumber(object.revision()).putText(object.uploadId());
    PieceCodec.write(out, object.pieces());
  }

  private static StoredObject readObject(BinaryReader in) {
    return new StoredObject(
        MetadataCodec.read(in), (int) in.getNumber(), in.getText(), PieceCodec.read(in));
  }

  private static void writeUpload(BinaryWriter out, StoredUpload upload) {
    MetadataCodec.writeName(out, upload.name());
    out.putText(upload.id()).putNumber(upload.initiatedMs());
    MetadataCodec.writeAttributes(out, upload.attributes());
    out.put(upload.checksum().map(MetadataCodec::numberOf).orElse(0));
    out.put(upload.checksumType().map(MetadataCodec::numberOf).orElse(0));
  }

  private static StoredUpload readUpload(BinaryReader in) {
    ObjectName name = MetadataCodec.readName(in);
    String id = in.getText();
    long initiatedMs = in.getNumber();
    var attributes = MetadataCodec.readAttributes(in);
    int checksum = in.get();
    int type = in.get();
    return new StoredUpload(
        name,
        id,
        initiatedMs,
        attributes,
        checksum == 0 ? Optional.empty() : Optional.of(MetadataCodec.algorithm(checksum)),
        type == 0 ? Optional.empty() : Optional.of(MetadataCodec.checksumType(type)));
  }

  private static void writePart(BinaryWriter out, StoredPart part) {
    out.putText(part.uploadId()).putNumber(part.revision());
    MetadataCodec.writePart(out, part.part());
    PieceCodec.write(out, part.pieces());
  }

  private static StoredPart readPart(BinaryReader in) {
    return new StoredPart(
        in.getText(), (int) in.getNumber(), MetadataCodec.readPart(in), PieceCodec.read(in));
  }
}
