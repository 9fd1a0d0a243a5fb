package dev.tarn.sharder.compress;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Compresses independent blocks: each becomes a gzip member or a zstd frame. A block's compressed
 * bytes depend only on the block. Not thread-safe.
 *
 * <p>A block in memory is compressed in one call. A larger block is compressed in pieces of fixed
 * length, because the lengths of the pieces affect the compressed bytes.
 */
public interface BlockCompressor extends AutoCloseable {
  /** Length in bytes of all pieces of a block; only the last may be shorter. */
  int PIECE_LENGTH = 1024 * 1024;

  /** Consumes compressed bytes, so that their buffer can be reused. */
  @FunctionalInterface
  interface Drain {
    void drain(ByteBuffer bytes) throws IOException;
  }

  /** Returns an upper bound of the compressed length of a block, in bytes. */
  int lengthMax(int length);

  /**
   * Compresses a whole block.
   *
   * @param block with an array; its position moves to its limit
   * @param target with an array, and room for {@link #lengthMax} bytes
   */
  void compress(ByteBuffer block, ByteBuffer target);

  /** Begins a block of this length in bytes; its pieces follow by {@link #add}. */
  void begin(long length);

  /**
   * Compresses a piece.
   *
   * @param piece with an array; its position moves to its limit
   * @param last whether the block ends with it
   */
  void add(ByteBuffer piece, boolean last, Drain drain) throws IOException;

  @Override
  void close();
}
