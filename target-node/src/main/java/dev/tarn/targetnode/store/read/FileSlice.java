package dev.tarn.targetnode.store.read;

import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Piece;
import dev.tarn.targetnode.store.record.Unit;
import java.util.ArrayList;
import java.util.List;

/** Consecutive bytes of an object in one file. */
public sealed interface FileSlice {
  /** The offset of the bytes, counted from the first byte behind the file's header. */
  long offset();

  /** The number of bytes. */
  long length();

  /** Bytes of an extent. */
  record OfExtent(Piece.ExtentRange range) implements FileSlice {
    @Override
    public long offset() {
      return range.offset();
    }

    @Override
    public long length() {
      return range.length();
    }
  }

  /** Bytes of a unit, which may be absent. */
  record OfUnit(Unit unit, long offset, long length) implements FileSlice {}

  /** The slices that hold a range of an object's bytes; the object must not be inline. */
  static List<FileSlice> of(ObjectRecord object, long offset, long length)
      throws UnreadableFormatException {
    List<FileSlice> slices = new ArrayList<>();
    if (object.isInUnits()) {
      int last = Unit.numberAt(offset + length - 1);
      for (int number = Unit.numberAt(offset); number <= last; number++) {
        slices.add(ofUnit(object.unit(number), offset, offset + length));
      }
      return slices;
    }
    for (Piece piece : PieceRange.cut(object.pieces(), offset, length)) {
      if (!(piece instanceof Piece.ExtentRange range)) {
        throw new UnreadableFormatException(
            UnreadableFormatException.Reason.DAMAGED, "a piece has no bytes here: " + piece);
      }
      slices.add(new OfExtent(range));
    }
    return slices;
  }

  /** The part of a unit that is within a range of its object. */
  static OfUnit ofUnit(Unit unit, long rangeBegin, long rangeEnd) {
    long from = Math.max(rangeBegin, unit.begin());
    long to = Math.min(rangeEnd, unit.begin() + unit.length());
    return new OfUnit(unit, from - unit.begin(), to - from);
  }
}
