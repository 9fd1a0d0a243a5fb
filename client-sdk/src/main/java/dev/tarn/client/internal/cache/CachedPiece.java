package dev.tarn.client.internal.cache;

/**
 * Consecutive bytes of an object that are kept.
 *
 * @param offset of the first byte in the object
 * @param length at least one, at most {@link #LENGTH_MAX}
 * @param crc32c of the bytes
 */
record CachedPiece(long offset, int length, int crc32c) {
  /** No piece crosses a multiple of this, so that the bytes verified at once stay few. */
  static final int LENGTH_MAX = 128 * 1024;

  /** The offset after the last byte. */
  long end() {
    return offset + length;
  }

  /** The greatest end of a piece that begins at an offset. */
  static long endMax(long offset) {
    return (offset / LENGTH_MAX + 1) * LENGTH_MAX;
  }
}
