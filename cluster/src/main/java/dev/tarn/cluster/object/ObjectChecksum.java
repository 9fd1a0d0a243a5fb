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

  /**
   * Whether a client that expects {@code other} expects this checksum. A client may name a
   * composite value without its {@code -N}.
   */
  public boolean isNamedBy(ObjectChecksum other) {
    return algorithm == other.algorithm
        && (value.equals(other.value)
            || (type == ChecksumType.COMPOSITE && value.startsWith(other.value + '-')));
  }
}
