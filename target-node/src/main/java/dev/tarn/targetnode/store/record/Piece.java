package dev.tarn.targetnode.store.record;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The location of consecutive bytes of an object: a tagged union that will get more tags. */
public sealed interface Piece {
  /** The number of the object's bytes in this piece. */
  long length();

  /**
   * The bytes are the payload of the record that names the piece. An object has at most one inline
   * piece.
   *
   * @param length of the payload
   */
  record Inline(long length) implements Piece {
    public Inline {
      requireLength(length);
    }
  }

  /**
   * A range of an extent on the same disk.
   *
   * @param extent the extent's id
   * @param offset where the range begins in the extent's bytes
   * @param tableCrc the CRC32C of the extent's checksum table, as in its footer; it identifies the
   *     table that was written with the record
   */
  record ExtentRange(long extent, long offset, long length, int tableCrc) implements Piece {
    public ExtentRange {
      requireLength(length);
      if (offset < 0) {
        throw new IllegalArgumentException("offset in extent is " + offset);
      }
    }

    /** A part of this range. */
    public ExtentRange slice(long from, long sliceLength) {
      return new ExtentRange(extent, offset + from, sliceLength, tableCrc);
    }
  }

  /**
   * Bytes of a cached object, each {@link Unit} of which has a file of its own while it is on the
   * disk. The backend has them all.
   */
  record CachedUnits(long length) implements Piece {
    public CachedUnits {
      requireLength(length);
    }
  }

  /** The extents that pieces name. */
  static Set<Long> extents(List<Piece> pieces) {
    Set<Long> extents = new HashSet<>();
    for (Piece piece : pieces) {
      if (piece instanceof ExtentRange range) {
        extents.add(range.extent());
      }
    }
    return extents;
  }

  private static void requireLength(long length) {
    if (length < 0) {
      throw new IllegalArgumentException("piece has length " + length);
    }
  }
}
