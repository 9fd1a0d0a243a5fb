package dev.tarn.cluster.object;

import static java.util.Objects.requireNonNull;

/**
 * A checksum as S3 shows it.
 *
 * @param algorithm that computed it
 * @param type over the object's bytes, or over its parts' checksums
 * @param value base64; a composite one ends in {@code -N}, where N is the number of parts
 */
public record ObjectChecksum(ChecksumAlgorithm algorithm, ChecksumType type, String value) {
  public ObjectChecksum {
    requireNonNull(algorithm, "algorithm is null");
    requireNonNull(type, "type is null");
    requireNonNull(value, "value is null");
  }
}
