package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectPart;
import java.util.List;
import java.util.Optional;

/**
 * A page of an upload's parts.
 *
 * @param parts in order of number
 * @param truncated whether there are more
 * @param checksum the upload's declared algorithm; empty for none
 * @param checksumType the declared type of the object's checksum; empty for none
 */
public record PartPage(
    List<ObjectPart> parts,
    boolean truncated,
    Optional<ChecksumAlgorithm> checksum,
    Optional<ChecksumType> checksumType) {
  public PartPage {
    parts = List.copyOf(requireNonNull(parts, "parts is null"));
    requireNonNull(checksum, "checksum is null");
    requireNonNull(checksumType, "checksumType is null");
  }
}
