package dev.tarn.cluster.checksum;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectPart;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** The values of S3 checksums: their text, and an object's value from those of its parts. */
public final class ChecksumValues {
  private ChecksumValues() {}

  /**
   * The S3 form of a checksum over bytes.
   *
   * @param value the algorithm's value, most significant byte first
   */
  public static ObjectChecksum ofBytes(ChecksumAlgorithm algorithm, byte[] value) {
    if (value.length != algorithm.lengthBytes()) {
      throw new IllegalArgumentException(
          algorithm + " has " + value.length + " bytes, must have " + algorithm.lengthBytes());
    }
    return new ObjectChecksum(
        algorithm, ChecksumType.FULL_OBJECT, Base64.getEncoder().encodeToString(value));
  }

  /** Decodes a value; empty if it is not base64 or has the wrong length. */
  public static Optional<byte[]> parse(ChecksumAlgorithm algorithm, String base64) {
    try {
      return Optional.of(Base64.getDecoder().decode(base64))
          .filter(value -> value.length == algorithm.lengthBytes());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * The composite checksum: the checksum of the parts' checksums, followed by their number.
   *
   * @param parts the value of each part in order, at least one
   */
  public static ObjectChecksum composite(ChecksumAlgorithm algorithm, List<byte[]> parts) {
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a composite " + algorithm + " needs at least one part");
    }
    StreamingDigest digest = StreamingDigest.of(algorithm);
    for (byte[] part : parts) {
      digest.update(ByteBuffer.wrap(part));
    }
    String value = Base64.getEncoder().encodeToString(digest.finish()) + "-" + parts.size();
    return new ObjectChecksum(algorithm, ChecksumType.COMPOSITE, value);
  }

  /**
   * The full-object checksum, combined from the CRCs of the parts.
   *
   * @param parts in order, at least one
   * @throws IllegalArgumentException if the algorithm is not a CRC
   */
  public static ObjectChecksum combined(ChecksumAlgorithm algorithm, List<PartCrc> parts) {
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a combined " + algorithm + " needs at least one part");
    }
    CrcCombination combination = CrcCombination.of(algorithm);
    long crc = BigEndian.value(parts.get(0).value);
    for (PartCrc part : parts.subList(1, parts.size())) {
      crc = combination.combine(crc, BigEndian.value(part.value), part.lengthBytes);
    }
    return ofBytes(algorithm, BigEndian.bytes(crc, algorithm.lengthBytes()));
  }

  /**
   * The checksum of an object from those of its parts; empty if a part has none of the algorithm.
   *
   * @param parts in order, at least one
   * @throws IllegalArgumentException if the type is full-object and the algorithm is not a CRC
   */
  public static Optional<ObjectChecksum> ofParts(
      ChecksumAlgorithm algorithm, ChecksumType type, List<ObjectPart> parts) {
    List<byte[]> values = new ArrayList<>(parts.size());
    List<PartCrc> crcs = new ArrayList<>(parts.size());
    for (ObjectPart part : parts) {
      Optional<byte[]> value = part.checksum(algorithm).flatMap(text -> parse(algorithm, text));
      if (value.isEmpty()) {
        return Optional.empty();
      }
      values.add(value.orElseThrow());
      crcs.add(new PartCrc(value.orElseThrow(), part.sizeBytes()));
    }
    return Optional.of(
        type == ChecksumType.COMPOSITE ? composite(algorithm, values) : combined(algorithm, crcs));
  }

  /** The CRC of one part and the part's length in bytes. */
  public static final class PartCrc {
    private final byte[] value;
    private final long lengthBytes;

    /** Takes the CRC of a part, most significant byte first, and the part's length. */
    public PartCrc(byte[] value, long lengthBytes) {
      this.value = value.clone();
      this.lengthBytes = lengthBytes;
    }
  }
}
