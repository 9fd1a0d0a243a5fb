package dev.tarn.sharder.compress;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A block that is larger than memory: cuts its bytes into pieces for the compressor. */
public final class BlockStream {
  private final BlockCompressor compressor;
  private final BlockCompressor.Drain drain;
  private final ByteBuffer piece = ByteBuffer.allocate(BlockCompressor.PIECE_LENGTH);
  private long left;

  /**
   * @param length of the block in bytes; exactly so many must be written
   * @param drain receives the compressed bytes
   */
  public BlockStream(BlockCompressor compressor, long length, BlockCompressor.Drain drain) {
    this.compressor = compressor;
    this.drain = drain;
    this.left = length;
    compressor.begin(length);
  }

  /** Writes the next bytes of the block. */
  public void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      int length = Math.min(bytes.remaining(), piece.remaining());
      piece.put(piece.position(), bytes, bytes.position(), length);
      piece.position(piece.position() + length);
      bytes.position(bytes.position() + length);
      left -= length;
      if (!piece.hasRemaining() || left == 0) {
        compressor.add(piece.flip(), left == 0, drain);
        piece.clear();
      }
    }
  }
}
