package dev.tarn.cluster.wire;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest.CopySource;
import dev.tarn.cluster.target.UploadRequest.CompletedPart;
import java.util.HashSet;
import java.util.Set;

/** The wire form of what requests are made of. */
final class CallFields {
  private static final int WHOLE = 0;
  private static final int RANGE = 1;
  private static final int SUFFIX = 2;
  private static final int PART = 3;

  private CallFields() {}

  static void writeScope(WireWriter out, CallScope scope) {
    out.writeLong(scope.bucket().value());
    out.writeLong(scope.settingsVersion());
    out.writeLong(scope.mapEpoch());
  }

  static CallScope readScope(WireReader in) throws WireException {
    return new CallScope(new BucketId(in.readLong()), in.readLong(), in.readLong());
  }

  static void writeSelection(WireWriter out, Selection selection) {
    if (selection instanceof Selection.Range range) {
      out.writeByte(RANGE);
      out.writeLong(range.first());
      out.writeLong(range.last());
    } else if (selection instanceof Selection.Suffix suffix) {
      out.writeByte(SUFFIX);
      out.writeLong(suffix.lengthBytes());
    } else if (selection instanceof Selection.Part part) {
      out.writeByte(PART);
      out.writeInt(part.number());
    } else {
      out.writeByte(WHOLE);
    }
  }

  static Selection readSelection(WireReader in) throws WireException {
    int tag = in.readByte();
    return switch (tag) {
      case WHOLE -> Selection.WHOLE;
      case RANGE -> new Selection.Range(in.readLong(), in.readLong());
      case SUFFIX -> new Selection.Suffix(in.readLong());
      case PART -> new Selection.Part(in.readInt());
      default -> throw in.at("selection has the tag " + tag + ", which is unknown here");
    };
  }

  static void writePreconditions(WireWriter out, Preconditions preconditions) {
    out.writeAll(preconditions.ifMatch(), WireWriter::writeText);
    out.writeAll(preconditions.ifNoneMatch(), WireWriter::writeText);
    out.writeOptionalLong(preconditions.ifModifiedSinceMs());
    out.writeOptionalLong(preconditions.ifUnmodifiedSinceMs());
  }

  static Preconditions readPreconditions(WireReader in) throws WireException {
    return new Preconditions(
        in.readAll(WireReader::readText),
        in.readAll(WireReader::readText),
        in.readOptionalLong(),
        in.readOptionalLong());
  }

  static void writeSource(WireWriter out, CopySource source) {
    writeScope(out, source.scope());
    ObjectFields.writeKey(out, source.key());
    out.writeOptional(source.version(), WireWriter::writeText);
    writePreconditions(out, source.preconditions());
  }

  static CopySource readSource(WireReader in) throws WireException {
    return new CopySource(
        readScope(in),
        ObjectFields.readKey(in),
        in.readOptional(WireReader::readText),
        readPreconditions(in));
  }

  static Set<ChecksumAlgorithm> readAlgorithms(WireReader in) throws WireException {
    return new HashSet<>(in.readAll(ObjectFields::readAlgorithm));
  }

  static void writeCompletedPart(WireWriter out, CompletedPart part) {
    out.writeInt(part.number());
    out.writeText(part.etag());
    out.writeAll(part.checksums(), ObjectFields::writeChecksum);
  }

  static CompletedPart readCompletedPart(WireReader in) throws WireException {
    return new CompletedPart(in.readInt(), in.readText(), in.readAll(ObjectFields::readChecksum));
  }
}
