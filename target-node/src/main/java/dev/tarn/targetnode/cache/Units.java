package dev.tarn.targetnode.cache;

import dev.tarn.targetnode.store.record.Piece;
import java.util.ArrayList;
import java.util.List;

/** How a cached object is cut into units: 8 MiB each, the last one shorter. */
final class Units {
  /** The length of every unit but the last. */
  static final long UNIT_BYTES = 8L << 20;

  private Units() {}

  /** The number of the unit that holds a byte, from 0. */
  static int unitOf(long offset) {
    return Math.toIntExact(offset / UNIT_BYTES);
  }

  /** The offset of a unit in the object. */
  static long begin(int unit) {
    return unit * UNIT_BYTES;
  }

  /** The length of a unit in an object of this size. */
  static long length(int unit, long sizeBytes) {
    return Math.min(UNIT_BYTES, sizeBytes - begin(unit));
  }

  /** The pieces of an object whose units are all absent. */
  static List<Piece> allAbsent(long sizeBytes) {
    List<Piece> pieces = new ArrayList<>();
    for (int unit = 0; begin(unit) < sizeBytes; unit++) {
      pieces.add(new Piece.AbsentUnit(length(unit, sizeBytes)));
    }
    return pieces;
  }

  /** The pieces of an object that is whole in one extent. */
  static List<Piece> allIn(long extent, int tableCrc, long sizeBytes) {
    List<Piece> pieces = new ArrayList<>();
    for (int unit = 0; begin(unit) < sizeBytes; unit++) {
      pieces.add(new Piece.ExtentRange(extent, begin(unit), length(unit, sizeBytes), tableCrc));
    }
    return pieces;
  }

  /** The pieces with one of them replaced. */
  static List<Piece> with(List<Piece> pieces, int unit, Piece piece) {
    List<Piece> changed = new ArrayList<>(pieces);
    changed.set(unit, piece);
    return changed;
  }

  /** Whether all {@code length} bytes from an offset on are on the disk. */
  static boolean present(List<Piece> pieces, long offset, long length) {
    if (length == 0 || (pieces.size() == 1 && pieces.getFirst() instanceof Piece.Inline)) {
      return true;
    }
    return pieces.subList(unitOf(offset), unitOf(offset + length - 1) + 1).stream()
        .noneMatch(Piece.AbsentUnit.class::isInstance);
  }
}
