package dev.tarn.targetnode.store.write;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.checksum.BodyDigests;
import dev.tarn.targetnode.store.extent.ExtentWriter;
import dev.tarn.targetnode.store.record.Piece;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * A body that arrived complete and matches its declared digests, not yet committed.
 *
 * @param length in bytes
 * @param digests of the body
 * @param inline the bytes, if there is no extent
 * @param extent holds the bytes; finished, but not yet named by any record
 */
public record ReceivedBody(
    long length, BodyDigests.Computed digests, ByteBuffer inline, Optional<ExtentWriter> extent) {
  public ReceivedBody {
    requireNonNull(digests, "digests is null");
    requireNonNull(inline, "inline is null");
    requireNonNull(extent, "extent is null");
  }

  /** The pieces for the record that will name these bytes. */
  public List<Piece> pieces() {
    if (length == 0) {
      return List.of();
    }
    return List.of(
        extent
            .<Piece>map(writer -> new Piece.ExtentRange(writer.id(), 0, length, writer.tableCrc()))
            .orElseGet(() -> new Piece.Inline(length)));
  }
}
