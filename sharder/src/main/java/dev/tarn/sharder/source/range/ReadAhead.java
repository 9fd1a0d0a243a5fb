package dev.tarn.sharder.source.range;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Ranges, many of them small and most of them adjacent: each thread keeps the last piece that it
 * asked for of each of the few sources that it read last, and asks for a larger one when it goes on
 * where that ended. So whoever reads in order sends few requests, and whoever reads here and there
 * fetches little in vain. The pieces of all threads share one budget of bytes.
 */
public final class ReadAhead {
  private static final int PIECE_BYTES_MIN = 32 * 1024;
  private static final int PIECE_BYTES_MAX = 1024 * 1024;

  /** A range that says itself where it had better stop may say more. */
  private static final int PIECE_BYTES_LIMIT = 8 * 1024 * 1024;

  private static final int PIECES_PER_THREAD_MAX = 4;

  /** What all pieces may take together, unless they are at their least. */
  private static final int BYTES_MAX = 256 * 1024 * 1024;

  /** What lies between two members, at most, for the second to count as adjacent. */
  private static final int GAP_BYTES_MAX = 64 * 1024;

  private static final class Piece {
    private @Nullable Ranged source;
    private byte[] bytes = new byte[0];
    private long start;
    private int length;
    private int asked;

    boolean holds(Ranged other, long offset) {
      return other.equals(source) && offset >= start && offset < start + length;
    }

    boolean isFollowedBy(Ranged other, long offset) {
      long end = start + length;
      return other.equals(source) && offset >= end && offset <= end + GAP_BYTES_MAX;
    }

    int copy(long offset, ByteBuffer target) {
      int from = (int) (offset - start);
      int count = Math.min(target.remaining(), length - from);
      target.put(bytes, from, count);
      return count;
    }
  }

  /** Of each thread those used last before the others. */
  private final ThreadLocal<List<Piece>> pieces =
      ThreadLocal.withInitial(() -> new ArrayList<>(PIECES_PER_THREAD_MAX));

  private final AtomicInteger pieceCount = new AtomicInteger();

  /** Reads until the buffer is full or the bytes are at their end, and returns how many. */
  public int read(Ranged source, long offset, ByteBuffer target) throws IOException {
    int start = target.position();
    Piece piece = piece(source);
    long at = offset;
    while (target.hasRemaining() && at < source.size()) {
      if (piece.holds(source, at)) {
        at += piece.copy(at, target);
      } else if (target.hasArray() && target.remaining() >= PIECE_BYTES_MAX) {
        int length = (int) Math.min(target.remaining(), source.size() - at);
        fetch(source, at, target.array(), target.arrayOffset() + target.position(), length);
        target.position(target.position() + length);
        at += length;
      } else {
        fill(piece, source, at, target.remaining());
      }
    }
    return target.position() - start;
  }

  /** The thread's piece of a source, or another to be filled anew. */
  private Piece piece(Ranged source) {
    List<Piece> own = pieces.get();
    int at = 0;
    while (at < own.size() && !source.equals(own.get(at).source)) {
      at++;
    }
    if (at == own.size() && at < PIECES_PER_THREAD_MAX) {
      own.add(new Piece());
      pieceCount.incrementAndGet();
    }
    int found = Math.min(at, PIECES_PER_THREAD_MAX - 1);
    if (found > 0) {
      own.addFirst(own.remove(found));
    }
    return own.getFirst();
  }

  private void fill(Piece piece, Ranged source, long offset, int wanted) throws IOException {
    boolean followed = piece.isFollowedBy(source, offset);
    piece.asked = Math.clamp(followed ? piece.asked * 2L : 0, PIECE_BYTES_MIN, PIECE_BYTES_MAX);
    long usual = offset + Math.max(wanted, piece.asked);
    long end = Math.min(source.size(), followed ? source.endAhead(offset, usual) : usual);
    int share = Math.clamp(BYTES_MAX / pieceCount.get(), PIECE_BYTES_MIN, PIECE_BYTES_LIMIT);
    int length = Math.clamp(end - offset, 1, share);
    piece.source = null;
    if (piece.bytes.length < length || piece.bytes.length > share) {
      piece.bytes = new byte[length];
    }
    fetch(source, offset, piece.bytes, 0, length);
    piece.length = length;
    piece.start = offset;
    piece.source = source;
  }

  private static void fetch(Ranged source, long offset, byte[] target, int from, int length)
      throws IOException {
    try (InputStream stream = source.open(offset, offset + length)) {
      if (stream.readNBytes(target, from, length) < length) {
        throw new EOFException("ends before byte " + (offset + length));
      }
    }
  }
}
