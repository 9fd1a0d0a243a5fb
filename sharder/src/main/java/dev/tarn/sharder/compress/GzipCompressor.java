package dev.tarn.sharder.compress;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Makes gzip members, without name and time, with the JDK's zlib. */
final class GzipCompressor implements BlockCompressor {
  /** Magic, deflate, no flags, no time, no hint, unknown system. */
  private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

  private static final int TRAILER_LENGTH = 8;
  private static final int BUFFER_LENGTH = 256 * 1024;

  /** Deflate adds five bytes per stored block of 16 KiB to incompressible data. */
  private static final int STORED_BLOCK_LENGTH = 16 * 1024;

  private static final int STORED_BLOCK_HEADER_LENGTH = 5;

  private final Deflater deflater;
  private final CRC32 crc = new CRC32();
  private final ByteBuffer buffer =
      ByteBuffer.allocate(BUFFER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
  private boolean headerIsDue;

  GzipCompressor(int level) {
    deflater = new Deflater(level, true);
  }

  @Override
  public int lengthMax(int length) {
    int blocks = length / STORED_BLOCK_LENGTH + 2;
    return length + blocks * STORED_BLOCK_HEADER_LENGTH + HEADER.length + TRAILER_LENGTH;
  }

  @Override
  public void compress(ByteBuffer block, ByteBuffer target) {
    try {
      begin(block.remaining());
      add(block, true, target::put);
    } catch (IOException e) {
      throw new UncheckedIOException("putting bytes into a buffer does not fail", e);
    }
  }

  @Override
  public void begin(long length) {
    deflater.reset();
    crc.reset();
    headerIsDue = true;
  }

  @Override
  public void add(ByteBuffer piece, boolean last, Drain drain) throws IOException {
    buffer.clear();
    if (headerIsDue) {
      buffer.put(HEADER);
      headerIsDue = false;
    }
    crc.update(piece.duplicate());
    deflater.setInput(piece);
    if (last) {
      deflater.finish();
    }
    while (last ? !deflater.finished() : !deflater.needsInput()) {
      if (buffer.remaining() < TRAILER_LENGTH) {
        drain.drain(buffer.flip());
        buffer.clear();
      }
      deflater.deflate(buffer);
    }
    if (last) {
      if (buffer.remaining() < TRAILER_LENGTH) {
        drain.drain(buffer.flip());
        buffer.clear();
      }
      buffer.putInt((int) crc.getValue()).putInt((int) deflater.getBytesRead());
    }
    drain.drain(buffer.flip());
  }

  @Override
  public void close() {
    deflater.end();
  }
}
