package dev.tarn.cluster.object;

import static java.util.Objects.requireNonNull;

import java.util.List;

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
}
