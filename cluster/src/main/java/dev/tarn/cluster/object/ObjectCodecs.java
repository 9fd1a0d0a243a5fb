package dev.tarn.cluster.object;

import dev.tarn.cluster.codec.Codec;
import java.util.List;
import java.util.Optional;

/** The encoding of objects' names, versions and metadata, on the wire and on disk. */
public final class ObjectCodecs {
  /** In the order of their codes; append only. */
  public static final List<ChecksumAlgorithm> ALGORITHMS =
      List.of(
          ChecksumAlgorithm.CRC32,
          ChecksumAlgorithm.CRC32C,
          ChecksumAlgorithm.CRC64NVME,
          ChecksumAlgorithm.SHA1,
          ChecksumAlgorithm.SHA256);

  /** In the order of their codes; append only. */
  public static final List<ChecksumType> CHECKSUM_TYPES =
      List.of(ChecksumType.COMPOSITE, ChecksumType.FULL_OBJECT);

  /** The greatest number of tags of an object or bucket in a message. */
  public static final int TAGS_MAX = 50;

  /** The greatest number of checksums in a list: one of each algorithm and type. */
  public static final int CHECKSUMS_MAX = ALGORITHMS.size() * CHECKSUM_TYPES.size();

  /** More than fit the headers of a request or of a backend's answer. */
  public static final int HEADERS_MAX = 10_000;

  /** Names. */
  public static final Codec<ObjectName> NAME =
      Codec.of(
          "name",
          (out, name) -> out.number(1, name.bucket().value()).bytes(2, name.key().bytes()),
          in -> new ObjectName(new BucketId(in.number(1)), in.bytes(2, ObjectKey::of)));

  /** Versions. */
  public static final Codec<ObjectVersion> VERSION =
      Codec.of(
          "version",
          (out, version) ->
              out.number(1, version.mapEpoch())
                  .number(2, version.clockMs())
                  .number(3, version.sequence(), 0),
          in -> new ObjectVersion(in.number(1), in.number(2), in.integer(3, 0)));

  /** Checksums. */
  public static final Codec<ObjectChecksum> CHECKSUM =
      Codec.of(
          "checksum",
          (out, checksum) ->
              out.constant(1, ALGORITHMS, checksum.algorithm())
                  .constant(2, CHECKSUM_TYPES, checksum.type())
                  .text(3, checksum.value()),
          in ->
              new ObjectChecksum(
                  in.constant(1, ALGORITHMS), in.constant(2, CHECKSUM_TYPES), in.text(3)));

  /** Attributes. */
  public static final Codec<ObjectAttributes> ATTRIBUTES =
      Codec.of(
          "attributes",
          (out, attributes) ->
              out.map(1, attributes.headers())
                  .map(2, attributes.userMetadata())
                  .map(3, attributes.tags()),
          in ->
              new ObjectAttributes(
                  in.map(1, HEADERS_MAX), in.map(2, HEADERS_MAX), in.map(3, TAGS_MAX)));

  /** Parts. */
  public static final Codec<ObjectPart> PART =
      Codec.of(
          "part",
          (out, part) ->
              out.number(1, part.number())
                  .number(2, part.sizeBytes())
                  .text(3, part.etag())
                  .messages(4, CHECKSUM, part.checksums())
                  .number(5, part.modifiedMs()),
          in ->
              new ObjectPart(
                  in.integer(1),
                  in.number(2),
                  in.text(3),
                  in.messages(4, CHECKSUM, CHECKSUMS_MAX),
                  in.number(5)));

  private static final Codec<Origin> ORIGIN =
      Codec.of(
          "origin",
          (out, origin) ->
              out.text(1, origin.etag())
                  .text(2, Optional.ofNullable(origin.version()))
                  .number(3, origin.validatedMs())
                  .number(4, origin.ownedSince(), 0),
          in ->
              new Origin(
                  in.text(1), in.optionalText(2).orElse(null), in.number(3), in.number(4, 0)));

  /** Metadata. */
  public static final Codec<ObjectMetadata> METADATA =
      Codec.of(
          "metadata",
          (out, metadata) ->
              out.message(1, NAME, metadata.name())
                  .message(2, VERSION, metadata.version())
                  .flag(3, metadata.nullVersion())
                  .flag(4, metadata.deleteMarker())
                  .number(5, metadata.sizeBytes())
                  .text(6, metadata.etag())
                  .messages(7, CHECKSUM, metadata.checksums())
                  .message(8, ATTRIBUTES, metadata.attributes())
                  .number(9, metadata.modifiedMs())
                  .messages(10, PART, metadata.parts())
                  .nullableMessage(11, ORIGIN, metadata.origin()),
          in ->
              new ObjectMetadata(
                  in.message(1, NAME),
                  in.message(2, VERSION),
                  in.flag(3),
                  in.flag(4),
                  in.number(5),
                  in.text(6),
                  in.messages(7, CHECKSUM, CHECKSUMS_MAX),
                  in.message(8, ATTRIBUTES),
                  in.number(9),
                  in.messages(10, PART, ObjectPart.NUMBER_MAX),
                  in.nullableMessage(11, ORIGIN)));

  private ObjectCodecs() {}
}
