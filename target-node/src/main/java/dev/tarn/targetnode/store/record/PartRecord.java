package dev.tarn.targetnode.store.record;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectPart;
import java.util.List;

/**
 * A part of an open upload.
 *
 * @param uploadId of the upload
 * @param revision tells a part from the part of the same number that it replaces; the greatest is
 *     valid
 * @param part its metadata
 * @param pieces its bytes in order, never inline
 */
public record PartRecord(
    String uploadId, StoredRevision revision, ObjectPart part, List<Piece> pieces) {
  public PartRecord {
    requireNonNull(uploadId, "uploadId is null");
    requireNonNull(revision, "revision is null");
    requireNonNull(part, "part is null");
    pieces = List.copyOf(requireNonNull(pieces, "pieces is null"));
  }
}
