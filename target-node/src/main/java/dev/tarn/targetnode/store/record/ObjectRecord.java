package dev.tarn.targetnode.store.record;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.Origin;
import java.util.List;

/**
 * One version of an object as a disk keeps it.
 *
 * @param metadata of the version; a delete marker has no pieces
 * @param revision counts the changes to this version, such as new tags; the greatest is valid
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

  /** Whether its bytes are in the files of its units, as far as they are on the disk. */
  public boolean isInUnits() {
    return pieces.size() == 1 && pieces.getFirst() instanceof Piece.CachedUnits;
  }

  /** A cached object's unit, counted from 0. */
  public Unit unit(int number) {
    Origin origin = requireNonNull(metadata.origin(), "object is not cached");
    String version = origin.version();
    return new Unit(
        metadata.name(),
        origin.isStrong() ? origin.etag() : origin.etag() + " " + metadata.version().text(),
        version == null ? "" : version,
        metadata.sizeBytes(),
        number);
  }

  /** The number of bytes that the record keeps on the disk, in extents or in itself. */
  public long storedBytes() {
    long bytes = 0;
    for (Piece piece : pieces) {
      bytes +=
          switch (piece) {
            case Piece.Inline _, Piece.ExtentRange _ -> piece.length();
            case Piece.CachedUnits _ -> 0;
          };
    }
    return bytes;
  }

  /** The same version with other metadata, in the next revision of a map epoch. */
  public ObjectRecord revised(ObjectMetadata changed, long mapEpoch) {
    return new ObjectRecord(changed, revision.next(mapEpoch), uploadId, pieces);
  }
}
