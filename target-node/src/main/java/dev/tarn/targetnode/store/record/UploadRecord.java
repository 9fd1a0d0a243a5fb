package dev.tarn.targetnode.store.record;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.target.UploadDetails;
import java.util.Optional;

/**
 * An open multipart upload.
 *
 * @param id URL-safe text
 * @param initiatedMs when it began, in milliseconds since 1970
 * @param attributes of the future object
 * @param checksum the algorithm declared when the upload began
 * @param checksumType the type declared when the upload began
 * @param initiator the id of the user who began it; empty for an anonymous caller
 */
public record UploadRecord(
    ObjectName name,
    String id,
    long initiatedMs,
    ObjectAttributes attributes,
    Optional<ChecksumAlgorithm> checksum,
    Optional<ChecksumType> checksumType,
    String initiator) {
  public UploadRecord {
    requireNonNull(name, "name is null");
    requireNonNull(id, "id is null");
    requireNonNull(attributes, "attributes is null");
    requireNonNull(checksum, "checksum is null");
    requireNonNull(checksumType, "checksumType is null");
    requireNonNull(initiator, "initiator is null");
  }

  /** What listings tell of the upload. */
  public UploadDetails details() {
    return new UploadDetails(
        checksum, checksumType, attributes.storageClass(), Optional.of(initiator));
  }
}
