package dev.tarn.sharder.compress;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Compresses blocks, each for itself: as a gzip member or a zstd frame. The same block gives the
 * same bytes every time, whatever came before. Not for use by several threads at once.
 *
 * <p>A block in memory is compressed at once; one that no memory holds in pieces of always the same
 * length, since a compressor may look at what it is given together.
 */
public interface BlockCompressor extends AutoCloseable {
  /** The length of all pieces of a block but the last, which may be shorter. */
  int PIECE_LENGTH = 1024 * 1024;

  /** Takes compressed bytes away, so that their buffer can be filled again. */
  @FunctionalInterface
  interface Drain {
    void drain(ByteBuffer bytes) throws IOException;
  }

  /** How many bytes a block of some length takes at most. */
  int lengthMax(int length);

  /**
   * Compresses a whole block.
   *
   * @param block with an array; its position moves to its limit
   * @param target with an array, and room for {@link #lengthMax}
   */
  void compress(ByteBuffer block, ByteBuffer target);

  /** Begins a block of this length, to be given in pieces. */
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
