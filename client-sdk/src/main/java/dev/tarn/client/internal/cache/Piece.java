package dev.tarn.client.internal.cache;

/**
 * Consecutive bytes of an object that are kept.
 *
 * @param offset of the first in the object
 * @param length at least one, at most {@link #LENGTH_MAX}
 * @param crc32c of the bytes
 */
record Piece(long offset, int length, int crc32c) {
  /** Pieces end where a multiple of this is, or before: what is checked as a whole stays short. */
  static final int LENGTH_MAX = 128 * 1024;

  /** The offset behind the last byte. */
  long end() {
    return offset + length;
  }

  /** Where a piece ends, at the latest, that begins at an offset. */
  static long endMax(long offset) {
    return (offset / LENGTH_MAX + 1) * LENGTH_MAX;
  }
}
