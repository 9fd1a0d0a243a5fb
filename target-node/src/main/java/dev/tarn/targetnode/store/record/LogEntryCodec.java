package dev.tarn.targetnode.store.record;

import static dev.tarn.cluster.object.ObjectCodecs.ALGORITHMS;
import static dev.tarn.cluster.object.ObjectCodecs.ATTRIBUTES;
import static dev.tarn.cluster.object.ObjectCodecs.CHECKSUM_TYPES;
import static dev.tarn.cluster.object.ObjectCodecs.METADATA;
import static dev.tarn.cluster.object.ObjectCodecs.NAME;
import static dev.tarn.cluster.object.ObjectCodecs.PART;
import static dev.tarn.cluster.object.ObjectCodecs.VERSION;
import static dev.tarn.targetnode.store.record.PieceCodec.PIECE;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.codec.FieldReader;
import dev.tarn.cluster.codec.MalformedMessageException;
import dev.tarn.cluster.codec.Union;
import dev.tarn.targetnode.store.record.LogEntry.ObjectDeleted;
import dev.tarn.targetnode.store.record.LogEntry.ObjectStored;
import dev.tarn.targetnode.store.record.LogEntry.PartStored;
import dev.tarn.targetnode.store.record.LogEntry.UploadAborted;
import dev.tarn.targetnode.store.record.LogEntry.UploadCreated;
import dev.tarn.targetnode.store.record.LogEntry.VersionDeleted;
import java.util.List;

/** The encoding of log entries. The index keeps the same bytes. */
public final class LogEntryCodec {
  private static final int OBJECT_DELETED = 2;
  private static final int UPLOAD_ABORTED = 5;
  private static final int VERSION_DELETED = 6;

  /** The greatest record of 64 MiB has room for fewer: an absent unit takes 9 bytes. */
  private static final int PIECES_MAX = 10_000_000;

  private static final Codec<StoredRevision> REVISION =
      Codec.of(
          "revision",
          (out, revision) -> out.number(1, revision.mapEpoch()).number(2, revision.count(), 0),
          in -> new StoredRevision(in.number(1), in.integer(2, 0)));

  private static final Codec<ObjectRecord> OBJECT =
      Codec.of(
          "object",
          (out, object) ->
              out.message(1, METADATA, object.metadata())
                  .message(2, REVISION, object.revision())
                  .text(3, object.uploadId(), "")
                  .messages(4, PIECE, object.pieces()),
          in ->
              new ObjectRecord(
                  in.message(1, METADATA),
                  in.message(2, REVISION),
                  in.text(3, ""),
                  in.messages(4, PIECE, PIECES_MAX)));

  private static final Codec<UploadRecord> UPLOAD =
      Codec.of(
          "upload",
          (out, upload) ->
              out.message(1, NAME, upload.name())
                  .text(2, upload.id())
                  .number(3, upload.initiatedMs())
                  .message(4, ATTRIBUTES, upload.attributes())
                  .constant(5, ALGORITHMS, upload.checksum())
                  .constant(6, CHECKSUM_TYPES, upload.checksumType())
                  .text(7, upload.initiator(), ""),
          in ->
              new UploadRecord(
                  in.message(1, NAME),
                  in.text(2),
                  in.number(3),
                  in.message(4, ATTRIBUTES),
                  in.optionalConstant(5, ALGORITHMS),
                  in.optionalConstant(6, CHECKSUM_TYPES),
                  in.text(7, "")));

  private static final Codec<PartRecord> STORED_PART =
      Codec.of(
          "stored part",
          (out, part) ->
              out.text(1, part.uploadId())
                  .message(2, REVISION, part.revision())
                  .message(3, PART, part.part())
                  .messages(4, PIECE, part.pieces()),
          in ->
              new PartRecord(
                  in.text(1),
                  in.message(2, REVISION),
                  in.message(3, PART),
                  in.messages(4, PIECE, PIECES_MAX)));

  public static final Codec<LogEntry> ENTRY =
      Union.of(
          LogEntry.class,
          List.of(
              Union.alternative(
                  1,
                  ObjectStored.class,
                  (out, stored) -> OBJECT.write(out, stored.object()),
                  in -> new ObjectStored(OBJECT.read(in))),
              Union.alternative(
                  OBJECT_DELETED,
                  ObjectDeleted.class,
                  (out, deleted) ->
                      out.message(1, NAME, deleted.name()).message(2, VERSION, deleted.version()),
                  in -> new ObjectDeleted(in.message(1, NAME), in.message(2, VERSION))),
              Union.alternative(
                  3,
                  UploadCreated.class,
                  (out, created) -> UPLOAD.write(out, created.upload()),
                  in -> new UploadCreated(UPLOAD.read(in))),
              Union.alternative(
                  4,
                  PartStored.class,
                  (out, stored) ->
                      out.message(1, NAME, stored.name()).message(2, STORED_PART, stored.part()),
                  in -> new PartStored(in.message(1, NAME), in.message(2, STORED_PART))),
              Union.alternative(
                  UPLOAD_ABORTED,
                  UploadAborted.class,
                  (out, aborted) ->
                      out.message(1, NAME, aborted.name()).text(2, aborted.uploadId()),
                  in -> new UploadAborted(in.message(1, NAME), in.text(2))),
              Union.alternative(
                  VERSION_DELETED,
                  VersionDeleted.class,
                  (out, deleted) ->
                      out.message(1, NAME, deleted.name()).message(2, VERSION, deleted.version()),
                  in -> new VersionDeleted(in.message(1, NAME), in.message(2, VERSION)))));

  private LogEntryCodec() {}

  /** Whether an encoded entry only cancels others. */
  public static boolean cancels(byte[] bytes) {
    try {
      int tag = new FieldReader(bytes, 0).nextTag();
      return tag == OBJECT_DELETED || tag == UPLOAD_ABORTED || tag == VERSION_DELETED;
    } catch (MalformedMessageException e) {
      throw new MalformedRecordException(e);
    }
  }

  public static byte[] encode(LogEntry entry) {
    return ENTRY.encode(entry);
  }

  /**
   * Decodes an entry.
   *
   * @throws MalformedRecordException if the bytes are not an entry
   */
  public static LogEntry decode(byte[] bytes) {
    try {
      return ENTRY.decode(bytes);
    } catch (MalformedMessageException e) {
      throw new MalformedRecordException(e);
    }
  }
}
