package dev.tarn.targetnode.store.record;

import java.util.ArrayList;
import java.util.List;

/**
 * Pieces as bytes: a tag, then what belongs to it. Tags 4 (remote extent) and 5 (erasure stripe)
 * are reserved: a file that has them requires a feature that this program does not know.
 */
final class PieceCodec {
  private static final int INLINE = 1;
  private static final int EXTENT_RANGE = 2;
  private static final int ABSENT_UNIT = 3;
  private static final int REMOTE_EXTENT = 4;
  private static final int ERASURE_STRIPE = 5;

  private PieceCodec() {}

  static void write(BinaryWriter out, List<Piece> pieces) {
    out.putNumber(pieces.size());
    for (Piece piece : pieces) {
      switch (piece) {
        case Piece.Inline inline -> out.put(INLINE).putNumber(inline.length());
        case Piece.ExtentRange range ->
            out.put(EXTENT_RANGE)
                .putLong(range.extent())
                .putNumber(range.offset())
                .putNumber(range.length());
        case Piece.AbsentUnit absent -> out.put(ABSENT_UNIT).putNumber(absent.length());
      }
    }
  }

  static List<Piece> read(BinaryReader in) {
    int count = in.getCount();
    List<Piece> pieces = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      pieces.add(readPiece(in));
    }
    return pieces;
  }

  private static Piece readPiece(BinaryReader in) {
    int tag = in.get();
    return switch (tag) {
      case INLINE -> new Piece.Inline(in.getNumber());
      case EXTENT_RANGE -> new Piece.ExtentRange(in.getLong(), in.getNumber(), in.getNumber());
      case ABSENT_UNIT -> new Piece.AbsentUnit(in.getNumber());
      case REMOTE_EXTENT, ERASURE_STRIPE ->
          throw new MalformedRecordException("piece tag " + tag + " is reserved, not yet in use");
      default -> throw new MalformedRecordException("piece tag " + tag + " is unknown");
    };
  }
}
