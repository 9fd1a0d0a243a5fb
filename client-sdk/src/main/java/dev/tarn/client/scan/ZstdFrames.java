package dev.tarn.client.scan;

import dev.tarn.shard.BulkInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Splits a zstd stream into its frames by their headers alone (RFC 8878). Each frame can be
 * decompressed by itself.
 */
final class ZstdFrames {
  private static final int MAGIC = 0xfd2fb528;
  private static final int SKIPPABLE_MAGIC = 0x184d2a50;
  private static final int SKIPPABLE_MASK = 0xfffffff0;
  private static final int HEADER_BYTES_MAX = 18;
  private static final int BLOCK_HEADER_BYTES = 3;
  private static final int CHECKSUM_BYTES = 4;
  private static final int RUN_LENGTH_BLOCK = 1;
  private static final int RESERVED_BLOCK = 3;

  private final InputStream stored;
  private final ByteBuffer header =
      ByteBuffer.allocate(HEADER_BYTES_MAX).order(ByteOrder.LITTLE_ENDIAN).limit(0);
  private long position;
  private long frameStart;
  private boolean hasChecksum;

  ZstdFrames(InputStream stored) {
    this.stored = stored;
  }

  /** The offset of the current frame in the stored stream. */
  long frameStart() {
    return frameStart;
  }

  /**
   * The next frame, which must be read to its end before the one after it; skips skippable frames.
   *
   * @return null at the stream's end
   */
  @Nullable InputStream next() throws IOException {
    while (true) {
      header.clear();
      frameStart = position;
      int first = stored.read();
      if (first < 0) {
        return null;
      }
      position++;
      header.put((byte) first);
      read(3);
      int magic = header.getInt(0);
      if (magic == MAGIC) {
        readHeader();
        return new Frame();
      }
      if ((magic & SKIPPABLE_MASK) != SKIPPABLE_MAGIC) {
        throw new ZipException("the bytes after the zstd data are not zstd data");
      }
      read(Integer.BYTES);
      long length = Integer.toUnsignedLong(header.getInt(Integer.BYTES));
      stored.skipNBytes(length);
      position += length;
    }
  }

  private void read(int length) throws IOException {
    if (stored.readNBytes(header.array(), header.position(), length) < length) {
      throw new EOFException("the zstd data is cut short");
    }
    header.position(header.position() + length);
    position += length;
  }

  private void readHeader() throws IOException {
    read(1);
    int descriptor = header.get(Integer.BYTES);
    boolean single = (descriptor & 0x20) != 0;
    hasChecksum = (descriptor & 0x04) != 0;
    int dictionary = descriptor & 3;
    int size = descriptor >> 6 & 3;
    int sizeLength = size == 0 ? (single ? 1 : 0) : 1 << size;
    read((single ? 0 : 1) + (dictionary == 3 ? 4 : dictionary) + sizeLength);
    header.flip();
  }

  /** One frame: its header, which was read already, and its blocks. */
  private final class Frame extends BulkInputStream {
    /** Unread bytes of the current block or checksum. */
    private int left;

    private boolean isLast;
    private boolean isChecksumRead;

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (!header.hasRemaining() && left == 0 && !advance()) {
        return -1;
      }
      if (header.hasRemaining()) {
        int count = Math.min(length, header.remaining());
        header.get(target, offset, count);
        return count;
      }
      int count = stored.read(target, offset, Math.min(length, left));
      if (count < 0) {
        throw new EOFException("the zstd data is cut short");
      }
      left -= count;
      position += count;
      return count;
    }

    /** Moves to the next block or the checksum; false at the frame's end. */
    private boolean advance() throws IOException {
      if (isLast) {
        boolean more = hasChecksum && !isChecksumRead;
        isChecksumRead = true;
        left = more ? CHECKSUM_BYTES : 0;
        return more;
      }
      header.clear();
      ZstdFrames.this.read(BLOCK_HEADER_BYTES);
      header.flip();
      int block = (header.getShort(0) & 0xffff) | ((header.get(2) & 0xff) << 16);
      isLast = (block & 1) != 0;
      int type = block >> 1 & 3;
      if (type == RESERVED_BLOCK) {
        throw new ZipException("the zstd data is corrupt: a block has an invalid type");
      }
      left = type == RUN_LENGTH_BLOCK ? 1 : block >> 3;
      return true;
    }
  }
}
