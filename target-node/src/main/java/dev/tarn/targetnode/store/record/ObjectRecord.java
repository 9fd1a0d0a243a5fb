package dev.tarn.targetnode.store.record;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectMetadata;
import java.util.List;

/**
 * One version of an object as a disk keeps it.
 *
 * @param metadata of the version; a delete marker has no pieces
 * @param revision counts the changes to this version (its tags, its units); the greatest is valid
 * @param uploadId of the upload that it was completed from, otherwise empty; it makes completing an
 *     upload a change of one record that can be repeated
 * @param pieces its bytes in order; no piece crosses the border between two parts
 */
public record ObjectRecord(
    ObjectMetadata metadata, StoredRevision revision, String uploadId, List<Piece> pieces) {
  public ObjectRecord {
    requireNonNull(metadata, "metadata is null");
    requireNonNull(revision, "revision is null");
    requireNonNull(uploadId, "uploadId is null");
    pieces = List.copyOf(requireNonNull(pieces, "pieces is null"));
    long sizeBytes = 0;
    for (Piece piece : pieces) {
      sizeBytes += piece.length();
    }
    if (sizeBytes != metadata.sizeBytes()) {
      throw new IllegalArgumentException(
          metadata.name() + " has " + metadata.sizeBytes() + " bytes, its pieces " + sizeBytes);
    }
  }

  /** A version at its first commit. */
  public static ObjectRecord first(ObjectMetadata metadata, String uploadId, List<Piece> pieces) {
    return new ObjectRecord(
        metadata, StoredRevision.first(metadata.version().mapEpoch()), uploadId, pieces);
  }

  /** Whether its bytes are the payload of its record. */
  public boolean isInline() {
    return pieces.size() == 1 && pieces.getFirst() instanceof Piece.Inline;
  }

  /** The number of its bytes that are on the disk: not those of absent units. */
  public long storedBytes() {
    long bytes = 0;
    for (Piece piece : pieces) {
      bytes += piece instanceof Piece.AbsentUnit ? 0 : piece.length();
    }
    return bytes;
  }

  /** The same version with other metadata, in the next revision of a map epoch. */
  public ObjectRecord revised(ObjectMetadata changed, long mapEpoch) {
    return new ObjectRecord(changed, revision.next(mapEpoch), uploadId, pieces);
  }

  /** The same version with other pieces, in the next revision of a map epoch. */
  public ObjectRecord revised(List<Piece> changed, long mapEpoch) {
    return new ObjectRecord(metadata, revision.next(mapEpoch), uploadId, changed);
  }
}
