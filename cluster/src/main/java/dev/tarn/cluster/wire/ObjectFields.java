package dev.tarn.cluster.wire;

import dev.tarn.cluster.codec.MalformedMessageException;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectCodecs;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.object.ObjectVersion;
import java.util.List;

/**
 * The wire form of what an object is. A code in a list is its place in it: lists only grow at the
 * end.
 */
final class ObjectFields {
  static final List<ChecksumAlgorithm> ALGORITHMS =
      List.of(
          ChecksumAlgorithm.CRC32,
          ChecksumAlgorithm.CRC32C,
          ChecksumAlgorithm.CRC64NVME,
          ChecksumAlgorithm.SHA1,
          ChecksumAlgorithm.SHA256);
  static final List<ChecksumType> CHECKSUM_TYPES =
      List.of(ChecksumType.COMPOSITE, ChecksumType.FULL_OBJECT);

  private ObjectFields() {}

  static void writeKey(WireWriter out, ObjectKey key) {
    out.writeBytes(key.bytes());
  }

  static ObjectKey readKey(WireReader in) throws WireException {
    return ObjectKey.of(in.readBytes());
  }

  static void writeVersion(WireWriter out, ObjectVersion version) {
    out.writeLong(version.mapEpoch());
    out.writeLong(version.clockMs());
    out.writeInt(version.sequence());
  }

  static ObjectVersion readVersion(WireReader in) throws WireException {
    return new ObjectVersion(in.readLong(), in.readLong(), in.readInt());
  }

  static void writeAlgorithm(WireWriter out, ChecksumAlgorithm algorithm) {
    out.writeEnum(ALGORITHMS, algorithm);
  }

  static ChecksumAlgorithm readAlgorithm(WireReader in) throws WireException {
    return in.readEnum(ALGORITHMS);
  }

  static void writeChecksumType(WireWriter out, ChecksumType type) {
    out.writeEnum(CHECKSUM_TYPES, type);
  }

  static ChecksumType readChecksumType(WireReader in) throws WireException {
    return in.readEnum(CHECKSUM_TYPES);
  }

  static void writeChecksum(WireWriter out, ObjectChecksum checksum) {
    writeAlgorithm(out, checksum.algorithm());
    writeChecksumType(out, checksum.type());
    out.writeText(checksum.value());
  }

  static ObjectChecksum readChecksum(WireReader in) throws WireException {
    return new ObjectChecksum(readAlgorithm(in), readChecksumType(in), in.readText());
  }

  static void writeAttributes(WireWriter out, ObjectAttributes attributes) {
    out.writeTexts(attributes.headers());
    out.writeTexts(attributes.userMetadata());
    out.writeTexts(attributes.tags());
  }

  static ObjectAttributes readAttributes(WireReader in) throws WireException {
    return new ObjectAttributes(in.readTexts(), in.readTexts(), in.readTexts());
  }

  static void writePart(WireWriter out, ObjectPart part) {
    out.writeInt(part.number());
    out.writeLong(part.sizeBytes());
    out.writeText(part.etag());
    out.writeAll(part.checksums(), ObjectFields::writeChecksum);
    out.writeLong(part.modifiedMs());
  }

  static ObjectPart readPart(WireReader in) throws WireException {
    return new ObjectPart(
        in.readInt(),
        in.readLong(),
        in.readText(),
        in.readAll(ObjectFields::readChecksum),
        in.readLong());
  }

  static void writeMetadata(WireWriter out, ObjectMetadata metadata) {
    out.writeBytes(ObjectCodecs.METADATA.encode(metadata));
  }

  static ObjectMetadata readMetadata(WireReader in) throws WireException {
    try {
      return ObjectCodecs.METADATA.decode(in.readBytes());
    } catch (MalformedMessageException malformed) {
      throw new WireException(String.valueOf(malformed.getMessage()), malformed);
    }
  }
}
