package dev.tarn.cluster.object;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * One part of a multipart upload, or of the completed object.
 *
 * @param number 1 to 10,000
 * @param sizeBytes not negative
 * @param etag the part's ETag without quotes
 * @param checksums the part's S3 checksums, none or more
 * @param modifiedMs when the part was stored, in milliseconds since 1970
 */
public record ObjectPart(
    int number, long sizeBytes, String etag, List<ObjectChecksum> checksums, long modifiedMs) {
  /** The greatest part number. */
  public static final int NUMBER_MAX = 10_000;

  public ObjectPart {
    if (number < 1 || number > NUMBER_MAX) {
      throw new IllegalArgumentException(
          "part number is " + number + ", must be 1 to " + NUMBER_MAX);
    }
    if (sizeBytes < 0) {
      throw new IllegalArgumentException("part " + number + " has size " + sizeBytes);
    }
    requireNonNull(etag, "etag is null");
    checksums = List.copyOf(requireNonNull(checksums, "checksums is null"));
  }

  /** The same part with other checksums. */
  public ObjectPart with(List<ObjectChecksum> otherChecksums) {
    return new ObjectPart(number, sizeBytes, etag, otherChecksums, modifiedMs);
  }

  /** The value of the part's checksum of an algorithm; empty if it has none. */
  public Optional<String> checksum(ChecksumAlgorithm algorithm) {
    return checksums.stream()
        .filter(checksum -> checksum.algorithm() == algorithm)
        .map(ObjectChecksum::value)
        .findFirst();
  }
}
