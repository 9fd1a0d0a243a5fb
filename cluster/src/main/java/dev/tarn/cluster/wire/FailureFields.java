package dev.tarn.cluster.wire;

import dev.tarn.cluster.target.Failure;
import java.util.HashMap;
import java.util.Map;

/** The wire form of failures: a tag, the fields. A tag is never given a second meaning. */
final class FailureFields {
  private static final Map<Integer, Kind<?>> BY_TAG = new HashMap<>();
  private static final Map<Class<?>, Kind<?>> BY_TYPE = new HashMap<>();

  static {
    add(
        1,
        Failure.NoSuchKey.class,
        (out, failure) -> {
          out.writeOptional(failure.markerVersion(), WireWriter::writeText);
        },
        in -> new Failure.NoSuchKey(in.readOptional(WireReader::readText)));
    add(2, Failure.NoSuchVersion.class, (out, failure) -> {}, in -> new Failure.NoSuchVersion());
    add(3, Failure.NoSuchUpload.class, (out, failure) -> {}, in -> new Failure.NoSuchUpload());
    add(
        4,
        Failure.PreconditionFailed.class,
        (out, failure) -> {
          out.writeText(failure.condition());
        },
        in -> new Failure.PreconditionFailed(in.readText()));
    add(
        5,
        Failure.NotModified.class,
        (out, failure) -> {
          ObjectFields.writeMetadata(out, failure.metadata());
        },
        in -> new Failure.NotModified(ObjectFields.readMetadata(in)));
    add(6, Failure.LostRace.class, (out, failure) -> {}, in -> new Failure.LostRace());
    add(
        7,
        Failure.RangeNotSatisfiable.class,
        (out, failure) -> {
          out.writeLong(failure.sizeBytes());
        },
        in -> new Failure.RangeNotSatisfiable(in.readLong()));
    add(
        8,
        Failure.NoSuchPart.class,
        (out, failure) -> {
          out.writeInt(failure.number());
        },
        in -> new Failure.NoSuchPart(in.readInt()));
    add(
        9,
        Failure.InvalidPart.class,
        (out, failure) -> {
          out.writeInt(failure.number());
        },
        in -> new Failure.InvalidPart(in.readInt()));
    add(
        10,
        Failure.InvalidPartOrder.class,
        (out, failure) -> {
          out.writeInt(failure.number());
        },
        in -> new Failure.InvalidPartOrder(in.readInt()));
    add(
        11,
        Failure.PartTooSmall.class,
        (out, failure) -> {
          out.writeInt(failure.number());
          out.writeLong(failure.sizeBytes());
          out.writeLong(failure.sizeBytesMin());
        },
        in -> new Failure.PartTooSmall(in.readInt(), in.readLong(), in.readLong()));
    add(12, Failure.BadDigest.class, (out, failure) -> {}, in -> new Failure.BadDigest());
    add(
        13,
        Failure.BadChecksum.class,
        (out, failure) -> {
          ObjectFields.writeAlgorithm(out, failure.algorithm());
        },
        in -> new Failure.BadChecksum(ObjectFields.readAlgorithm(in)));
    add(
        14,
        Failure.IncompleteBody.class,
        (out, failure) -> {
          out.writeText(failure.message());
        },
        in -> new Failure.IncompleteBody(in.readText()));
    add(
        15,
        Failure.InvalidRequest.class,
        (out, failure) -> {
          out.writeText(failure.message());
        },
        in -> new Failure.InvalidRequest(in.readText()));
    add(
        16,
        Failure.Forbidden.class,
        (out, failure) -> {
          out.writeText(failure.message());
        },
        in -> new Failure.Forbidden(in.readText()));
    add(
        17,
        Failure.StaleMap.class,
        (out, failure) -> {
          out.writeLong(failure.epoch());
        },
        in -> new Failure.StaleMap(in.readLong()));
    add(
        18,
        Failure.UnknownSettings.class,
        (out, failure) -> {
          out.writeLong(failure.version());
        },
        in -> new Failure.UnknownSettings(in.readLong()));
    add(
        19,
        Failure.Unavailable.class,
        (out, failure) -> {
          out.writeText(failure.message());
        },
        in -> new Failure.Unavailable(in.readText()));
    add(
        20,
        Failure.Overloaded.class,
        (out, failure) -> {
          out.writeText(failure.message());
        },
        in -> new Failure.Overloaded(in.readText()));
    add(
        21,
        Failure.OutOfSpace.class,
        (out, failure) -> {
          out.writeText(failure.message());
        },
        in -> new Failure.OutOfSpace(in.readText()));
    add(
        22,
        Failure.Corrupt.class,
        (out, failure) -> {
          out.writeText(failure.message());
        },
        in -> new Failure.Corrupt(in.readText()));
    add(
        23,
        Failure.BackendFailed.class,
        (out, failure) -> {
          out.writeInt(failure.httpStatus());
          out.writeText(failure.code());
          out.writeText(failure.message());
        },
        in -> new Failure.BackendFailed(in.readInt(), in.readText(), in.readText()));
    add(
        24,
        Failure.Bug.class,
        (out, failure) -> {
          out.writeText(failure.incident());
        },
        in -> new Failure.Bug(in.readText()));
    add(
        25,
        Failure.VersionIsDeleteMarker.class,
        (out, failure) -> {
          out.writeText(failure.versionText());
          out.writeLong(failure.modifiedMs());
        },
        in -> new Failure.VersionIsDeleteMarker(in.readText(), in.readLong()));
  }

  private FailureFields() {}

  /** How one kind of failure is written and read. */
  private record Kind<F extends Failure>(
      int tag, Class<F> type, WireWriter.Field<F> writer, WireReader.Field<F> reader) {
    void write(WireWriter out, Failure failure) {
      out.writeByte(tag);
      writer.write(out, type.cast(failure));
    }
  }

  private static <F extends Failure> void add(
      int tag, Class<F> type, WireWriter.Field<F> writer, WireReader.Field<F> reader) {
    Kind<F> kind = new Kind<>(tag, type, writer, reader);
    BY_TAG.put(tag, kind);
    BY_TYPE.put(type, kind);
  }

  static void write(WireWriter out, Failure failure) {
    Kind<?> kind = BY_TYPE.get(failure.getClass());
    if (kind == null) {
      throw new IllegalArgumentException("no wire form for " + failure.getClass().getName());
    }
    kind.write(out, failure);
  }

  static Failure read(WireReader in) throws WireException {
    int tag = in.readByte();
    Kind<?> kind = BY_TAG.get(tag);
    if (kind == null) {
      throw in.at("failure has the tag " + tag + ", which is unknown here");
    }
    return kind.reader().read(in);
  }
}
