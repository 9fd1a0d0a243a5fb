package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import java.util.Optional;

/**
 * What listings tell of an open upload, as it was declared when it began.
 *
 * @param checksum the algorithm of the parts and the object; empty for none
 * @param checksumType the type of the object's checksum; empty for none
 * @param storageClass of the object
 * @param initiator the id of the user who began the upload, empty text for an anonymous caller;
 *     empty if it is not known, because a backend holds the upload
 */
public record UploadDetails(
    Optional<ChecksumAlgorithm> checksum,
    Optional<ChecksumType> checksumType,
    String storageClass,
    Optional<String> initiator) {
  public UploadDetails {
    requireNonNull(checksum, "checksum is null");
    requireNonNull(checksumType, "checksumType is null");
    requireNonNull(storageClass, "storageClass is null");
    requireNonNull(initiator, "initiator is null");
  }
}
