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
 * Reads ranges, most of which are small and adjacent. For each source that it read last, a thread
 * keeps its last piece. A read directly after that piece fetches a piece of twice the size.
 * Sequential reads thus need few requests, and random reads fetch few unused bytes. The pieces of
 * all threads share one limit of bytes.
 */
public final class ReadAhead {
  private static final int PIECE_BYTES_MIN = 32 * 1024;
  private static final int PIECE_BYTES_MAX = 1024 * 1024;

  /** Maximum for a range that determines its end by {@link Ranged#endAhead}. */
  private static final int PIECE_BYTES_LIMIT = 8 * 1024 * 1024;

  private static final int PIECES_PER_THREAD_MAX = 4;

  /** Maximum bytes of all pieces together; exceeded only if every piece has its minimum length. */
  private static final int BYTES_MAX = 256 * 1024 * 1024;

  /** Maximum distance of two reads that count as adjacent. */
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

  /** The pieces of each thread, most recently used first. */
  private final ThreadLocal<List<Piece>> pieces =
      ThreadLocal.withInitial(() -> new ArrayList<>(PIECES_PER_THREAD_MAX));

  private final AtomicInteger pieceCount = new AtomicInteger();

  /** Reads until the buffer is full or the bytes end; returns the number of bytes. */
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

  /** Returns the thread's piece of a source, or another piece to be refilled. */
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
