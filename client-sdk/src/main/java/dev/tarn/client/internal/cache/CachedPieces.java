package dev.tarn.client.internal.cache;

import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Records which bytes of an object are kept, by offset, in sixteen bytes of memory per piece. Safe
 * for several threads.
 */
final class CachedPieces {
  /** A shorter run of kept bytes is fetched again, which costs less than a second request. */
  private static final long RUN_BYTES_MIN = 256 * 1024;

  private long[] offsets = {};
  private int[] lengths = {};
  private int[] checksums = {};
  private int count;

  /**
   * Replaces all pieces.
   *
   * @param pieces by ascending offset, each offset once
   */
  synchronized void replace(Collection<CachedPiece> pieces) {
    count = 0;
    int capacity = Math.max(16, pieces.size());
    offsets = new long[capacity];
    lengths = new int[capacity];
    checksums = new int[capacity];
    pieces.forEach(piece -> set(count++, piece));
  }

  /** The piece that holds the byte at a position; null if there is none. */
  synchronized @Nullable CachedPiece find(long position) {
    int found = Arrays.binarySearch(offsets, 0, count, position);
    for (int i = found < 0 ? -found - 2 : found;
        i >= 0 && offsets[i] > position - CachedPiece.LENGTH_MAX;
        i--) {
      if (offsets[i] + lengths[i] > position) {
        return new CachedPiece(offsets[i], lengths[i], checksums[i]);
      }
    }
    return null;
  }

  /** Adds a piece; replaces one with the same offset. */
  synchronized void add(CachedPiece piece) {
    int found = Arrays.binarySearch(offsets, 0, count, piece.offset());
    if (found >= 0) {
      set(found, piece);
      return;
    }
    if (count == offsets.length) {
      int capacity = Math.max(16, 2 * count);
      offsets = Arrays.copyOf(offsets, capacity);
      lengths = Arrays.copyOf(lengths, capacity);
      checksums = Arrays.copyOf(checksums, capacity);
    }
    move(-found - 1, -found, count - (-found - 1));
    count++;
    set(-found - 1, piece);
  }

  /** Removes a piece, unless it was replaced. */
  synchronized void remove(CachedPiece piece) {
    int found = Arrays.binarySearch(offsets, 0, count, piece.offset());
    if (found >= 0 && lengths[found] == piece.length() && checksums[found] == piece.crc32c()) {
      move(found + 1, found, count - found - 1);
      count--;
    }
  }

  /** Whether all bytes between two offsets are kept. */
  synchronized boolean covers(long from, long to) {
    return runEnd(from, to) >= to;
  }

  /**
   * The end of the bytes to fetch from a position on: the next run of kept bytes that is worth a
   * gap, or the end.
   *
   * @param from a position that is not kept
   */
  synchronized long fetchEnd(long from, long end) {
    long position = from;
    while (true) {
      int found = Arrays.binarySearch(offsets, 0, count, position);
      int next = found < 0 ? -found - 1 : found;
      if (next == count || offsets[next] >= end) {
        return end;
      }
      long runEnd = runEnd(offsets[next], end);
      if (runEnd >= end || runEnd - offsets[next] >= RUN_BYTES_MIN) {
        return offsets[next];
      }
      position = runEnd;
    }
  }

  private long runEnd(long from, long to) {
    long position = from;
    while (position < to) {
      CachedPiece piece = find(position);
      if (piece == null) {
        return position;
      }
      position = piece.end();
    }
    return position;
  }

  private void set(int at, CachedPiece piece) {
    offsets[at] = piece.offset();
    lengths[at] = piece.length();
    checksums[at] = piece.crc32c();
  }

  private void move(int from, int to, int length) {
    System.arraycopy(offsets, from, offsets, to, length);
    System.arraycopy(lengths, from, lengths, to, length);
    System.arraycopy(checksums, from, checksums, to, length);
  }
}
