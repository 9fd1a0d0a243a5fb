package dev.tarn.targetnode.store.record;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.cluster.object.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Objects' metadata as bytes. Enums are written by the numbers given here, never by ordinal. */
final class MetadataCodec {
  private static final int NULL_VERSION = 1;
  private static final int DELETE_MARKER = 2;
  private static final int HAS_ORIGIN = 4;

  private MetadataCodec() {}

  static void write(BinaryWriter out, ObjectMetadata metadata) {
    writeName(out, metadata.name());
    writeVersion(out, metadata.version());
    out.put(
        (metadata.nullVersion() ? NULL_VERSION : 0)
            | (metadata.deleteMarker() ? DELETE_MARKER : 0)
            | (metadata.origin() != null ? HAS_ORIGIN : 0));
    out.putNumber(metadata.sizeBytes()).putText(metadata.etag());
    out.putNumber(metadata.modifiedMs());
    writeChecksums(out, metadata.checksums());
    writeAttributes(out, metadata.attributes());
    out.putNumber(metadata.parts().size());
    metadata.parts().forEach(part -> writePart(out, part));
    Origin origin = metadata.origin();
    if (origin != null) {
      writeOrigin(out, origin);
    }
  }

  static ObjectMetadata read(BinaryReader in) {
    ObjectName name = readName(in);
    ObjectVersion version = readVersion(in);
    int flags = in.get();
    long sizeBytes = in.getNumber();
    String etag = in.getText();
    long modifiedMs = in.getNumber();
    List<ObjectChecksum> checksums = readChecksums(in);
    ObjectAttributes attributes = readAttributes(in);
    int partCount = in.getCount();
    List<ObjectPart> parts = new ArrayList<>(partCount);
    for (int i = 0; i < partCount; i++) {
      parts.add(readPart(in));
    }
    return new ObjectMetadata(
        name,
        version,
        (flags & NULL_VERSION) != 0,
        (flags & DELETE_MARKER) != 0,
        sizeBytes,
        etag,
        checksums,
        attributes,
        modifiedMs,
        parts,
        (flags & HAS_ORIGIN) != 0 ? readOrigin(in) : null);
  }

  static void writeName(BinaryWriter out, ObjectName name) {
    out.putNumber(name.bucket().value()).putBytes(name.key().bytes());
  }

  static ObjectName readName(BinaryReader in) {
    return new ObjectName(new BucketId(in.getNumber()), ObjectKey.of(in.getBytes()));
  }

  static void writeVersion(BinaryWriter out, ObjectVersion version) {
    out.putNumber(version.mapEpoch()).putNumber(version.clockMs()).putNumber(version.sequence());
  }

  static ObjectVersion readVersion(BinaryReader in) {
    return new ObjectVersion(in.getNumber(), in.getNumber(), (int) in.getNumber());
  }

  static void writeAttributes(BinaryWriter out, ObjectAttributes attributes) {
    out.putMap(attributes.headers()).putMap(attributes.userMetadata()).putMap(attributes.tags());
  }

  static ObjectAttributes readAttributes(BinaryReader in) {
    return new ObjectAttributes(in.getMap(), in.getMap(), in.getMap());
  }

  static void writePart(BinaryWriter out, ObjectPart part) {
    out.putNumber(part.number()).putNumber(part.sizeBytes()).putText(part.etag());
    writeChecksums(out, part.checksums());
    out.putNumber(part.modifiedMs());
  }

  static ObjectPart readPart(BinaryReader in) {
    int number = (int) in.getNumber();
    long sizeBytes = in.getNumber();
    String etag = in.getText();
    List<ObjectChecksum> checksums = readChecksums(in);
    return new ObjectPart(number, sizeBytes, etag, checksums, in.getNumber());
  }

  private static void writeChecksums(BinaryWriter out, List<ObjectChecksum> checksums) {
    out.putNumber(checksums.size());
    for (ObjectChecksum checksum : checksums) {
      out.put(numberOf(checksum.algorithm())).put(numberOf(checksum.type()));
      out.putText(checksum.value());
    }
  }

  private static List<ObjectChecksum> readChecksums(BinaryReader in) {
    int count = in.getCount();
    List<ObjectChecksum> checksums = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      checksums.add(new ObjectChecksum(algorithm(in.get()), checksumType(in.get()), in.getText()));
    }
    return checksums;
  }

  static int numberOf(ChecksumAlgorithm algorithm) {
    return switch (algorithm) {
      case CRC32 -> 1;
      case CRC32C -> 2;
      case CRC64NVME -> 3;
      case SHA1 -> 4;
      case SHA256 -> 5;
    };
  }

  static ChecksumAlgorithm algorithm(int number) {
    return switch (number) {
      case 1 -> ChecksumAlgorithm.CRC32;
      case 2 -> ChecksumAlgorithm.CRC32C;
      case 3 -> ChecksumAlgorithm.CRC64NVME;
      case 4 -> ChecksumAlgorithm.SHA1;
      case 5 -> ChecksumAlgorithm.SHA256;
      default -> throw new MalformedRecordException("checksum algorithm " + number + " is unknown");
    };
  }

  static int numberOf(ChecksumType type) {
    return switch (type) {
      case COMPOSITE -> 1;
      case FULL_OBJECT -> 2;
    };
  }

  static ChecksumType checksumType(int number) {
    return switch (number) {
      case 1 -> ChecksumType.COMPOSITE;
      case 2 -> ChecksumType.FULL_OBJECT;
      default -> throw new MalformedRecordException("checksum type " + number + " is unknown");
    };
  }

  private static void writeOrigin(BinaryWriter out, Origin origin) {
    out.put(
        switch (origin.state()) {
          case CLEAN -> 1;
          case DIRTY -> 2;
          case DIRTY_DELETE -> 3;
        });
    out.putText(origin.etag()).putNumber(origin.validatedMs());
    @Nullable String version = origin.version();
    out.put(version == null ? 0 : 1);
    if (version != null) {
      out.putText(version);
    }
  }

  private static Origin readOrigin(BinaryReader in) {
    int number = in.get();
    Origin.State state =
        switch (number) {
          case 1 -> Origin.State.CLEAN;
          case 2 -> Origin.State.DIRTY;
          case 3 -> Origin.State.DIRTY_DELETE;
          default -> throw new MalformedRecordException("origin state " + number + " is unknown");
        };
    String etag = in.getText();
    long validatedMs = in.getNumber();
    Optional<String> version = in.get() == 0 ? Optional.empty() : Optional.of(in.getText());
    return new Origin(etag, version.orElse(null), validatedMs, state);
  }
}
