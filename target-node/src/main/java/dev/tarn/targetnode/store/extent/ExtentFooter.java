package dev.tarn.targetnode.store.extent;

import dev.tarn.targetnode.store.disk.DiskFile;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The footer behind the bytes of an extent: the CRC32C of each block, then a trailer of 24 bytes.
 * The trailer is: the number of bytes (8), the block size (4), the CRC32C of table and trailer (4),
 * magic (8).
 *
 * @param lengthBytes the number of bytes that the extent holds
 * @param blockCrcs the CRC32C of each block, the last of which may be short
 * @param tableCrc the CRC32C of table, length and block size
 */
@SuppressWarnings("ArrayRecordComponent")
record ExtentFooter(long lengthBytes, int[] blockCrcs, int tableCrc) {
  /** The block size in bytes. */
  static final int BLOCK_BYTES = 1 << 20;

  /** The offset of an extent's bytes: after the header, aligned to a page. */
  static final long DATA_OFFSET = 4096;

  private static final long MAGIC = 0x5441524E454E4431L;
  private static final int TRAILER_LENGTH = 24;

  /** The footer of an extent that is being written. */
  static ExtentFooter of(long lengthBytes, int[] blockCrcs) {
    ByteBuffer table = new ExtentFooter(lengthBytes, blockCrcs, 0).table();
    return new ExtentFooter(lengthBytes, blockCrcs, crc(table, table.position()));
  }

  /** The length of a file with so many bytes, header and footer included. */
  static long fileBytes(long lengthBytes) {
    return DATA_OFFSET + lengthBytes + tableBytes(lengthBytes) + TRAILER_LENGTH;
  }

  private static long tableBytes(long lengthBytes) {
    return (lengthBytes + BLOCK_BYTES - 1) / BLOCK_BYTES * 4;
  }

  ByteBuffer encode() {
    return table().putInt(tableCrc).putLong(MAGIC).flip();
  }

  private ByteBuffer table() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(blockCrcs.length * 4 + TRAILER_LENGTH);
    for (int crc : blockCrcs) {
      buffer.putInt(crc);
    }
    return buffer.putLong(lengthBytes).putInt(BLOCK_BYTES);
  }

  static ExtentFooter read(DiskFile file, String name) throws IOException {
    long fileLength = file.length();
    long blocks = (fileLength - DATA_OFFSET + BLOCK_BYTES - 1) / BLOCK_BYTES;
    long lengthMax = Math.min(blocks * 4 + TRAILER_LENGTH, fileLength - DATA_OFFSET);
    if (lengthMax < TRAILER_LENGTH) {
      throw damaged(name);
    }
    ByteBuffer trailer = ByteBuffer.allocateDirect(TRAILER_LENGTH);
    file.read(trailer, fileLength - TRAILER_LENGTH);
    long dataLength = trailer.getLong(0);
    long tableLength = tableBytes(dataLength);
    if (trailer.getLong(16) != MAGIC
        || dataLength < 0
        || trailer.getInt(8) != BLOCK_BYTES
        || fileBytes(dataLength) != fileLength) {
      throw damaged(name);
    }
    ByteBuffer footer = ByteBuffer.allocateDirect((int) tableLength + TRAILER_LENGTH);
    file.read(footer, DATA_OFFSET + dataLength);
    int crcAt = (int) tableLength + 12;
    if (footer.getInt(crcAt) != crc(footer, crcAt)) {
      throw damaged(name);
    }
    int[] crcs = new int[(int) tableLength / 4];
    footer.rewind().asIntBuffer().get(crcs);
    return new ExtentFooter(dataLength, crcs, footer.getInt(crcAt));
  }

  private static int crc(ByteBuffer buffer, int end) {
    CRC32C crc = new CRC32C();
    crc.update(buffer.duplicate().position(0).limit(end));
    return (int) crc.getValue();
  }

  private static UnreadableFormatException damaged(String name) {
    return new UnreadableFormatException(
        UnreadableFormatException.Reason.DAMAGED, name + " does not end in a whole footer");
  }

  /** The number of bytes in a block. */
  int blockLength(int block) {
    return (int) Math.min(BLOCK_BYTES, lengthBytes - (long) block * BLOCK_BYTES);
  }
}
