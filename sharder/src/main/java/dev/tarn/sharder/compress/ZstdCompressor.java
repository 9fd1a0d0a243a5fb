package dev.tarn.sharder.compress;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Makes zstd frames with their length and a checksum. */
final class ZstdCompressor implements BlockCompressor {
  private static final int BUFFER_LENGTH = 256 * 1024;

  private static final long MEBIBYTE = 1024 * 1024;

  private final ZstdCompressCtx context = new ZstdCompressCtx();

  /** Pieces are copied into direct buffers, because zstd-jni streams only from those. */
  private @Nullable ByteBuffer piece;

  private @Nullable ByteBuffer buffer;

  private final int level;

  ZstdCompressor(int level) {
    this.level = level;
    set();
  }

  /**
   * Returns the maximum memory of a compressor outside of the heap, in bytes, for blocks of any
   * length.
   */
  static long bytesOutsideHeap(int level) {
    long mebibytes = level <= 3 ? 8 : level <= 8 ? 12 : level <= 11 ? 32 : level <= 18 ? 72 : 96;
    return mebibytes * MEBIBYTE;
  }

  private void set() {
    context.setLevel(level);
    context.setChecksum(true);
  }

  @Override
  public int lengthMax(int length) {
    return Math.toIntExact(Zstd.compressBound(length));
  }

  @Override
  public void compress(ByteBuffer block, ByteBuffer target) {
    int length =
        context.compressByteArray(
            target.array(),
            target.arrayOffset() + target.position(),
            target.remaining(),
            block.array(),
            block.arrayOffset() + block.position(),
            block.remaining());
    block.position(block.limit());
    target.position(target.position() + length);
  }

  @Override
  public void begin(long length) {
    context.reset();
    set();
    context.setPledgedSrcSize(length);
  }

  @Override
  public void add(ByteBuffer bytes, boolean last, Drain drain) throws IOException {
    if (piece == null || buffer == null) {
      piece = ByteBuffer.allocateDirect(PIECE_LENGTH);
      buffer = ByteBuffer.allocateDirect(BUFFER_LENGTH);
    }
    piece.clear().put(bytes).flip();
    buffer.clear();
    EndDirective directive = last ? EndDirective.END : EndDirective.CONTINUE;
    boolean flushed = context.compressDirectByteBufferStream(buffer, piece, directive);
    while (last ? !flushed : piece.hasRemaining()) {
      drain.drain(buffer.flip());
      buffer.clear();
      flushed = context.compressDirectByteBufferStream(buffer, piece, directive);
    }
    drain.drain(buffer.flip());
  }

  @Override
  public void close() {
    context.close();
  }
}
