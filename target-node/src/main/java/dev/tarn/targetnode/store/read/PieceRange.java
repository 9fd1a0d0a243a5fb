package dev.tarn.targetnode.store.read;

import dev.tarn.targetnode.store.record.Piece;
import java.util.ArrayList;
import java.util.List;

/** Cuts a range out of an object's pieces. */
public final class PieceRange {
  private PieceRange() {}

  /**
   * The pieces that hold these bytes; the first and the last are cut. An inline piece stays whole.
   */
  public static List<Piece> cut(List<Piece> pieces, long offset, long length) {
    List<Piece> range = new ArrayList<>();
    long start = 0;
    long end = offset + length;
    for (Piece piece : pieces) {
      long from = Math.max(offset, start);
      long to = Math.min(end, start + piece.length());
      if (from < to) {
        append(range, part(piece, from - start, to - from));
      }
      start += piece.length();
    }
    return range;
  }

  /** Adds a piece; merges it with the last one if it continues the same extent and table. */
  private static void append(List<Piece> range, Piece piece) {
    if (!range.isEmpty()
        && piece instanceof Piece.ExtentRange next
        && range.getLast() instanceof Piece.ExtentRange last
        && last.extent() == next.extent()
        && last.tableCrc() == next.tableCrc()
        && last.offset() + last.length() == next.offset()) {
      range.removeLast();
      range.add(last.slice(0, last.length() + next.length()));
    } else {
      range.add(piece);
    }
  }

  private static Piece part(Piece piece, long offset, long length) {
    return switch (piece) {
      case Piece.Inline inline -> inline;
      case Piece.ExtentRange range -> range.slice(offset, length);
      case Piece.CachedUnits cached -> throw new IllegalStateException("not a piece of one file");
    };
  }
}
