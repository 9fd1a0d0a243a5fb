package dev.tarn.targetnode.store.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The first bytes of a record. The entry and the payload follow, then zeros up to a multiple of 8
 * bytes. Numbers are big-endian:
 *
 * <pre>
 *  0  magic           4  "TREC"; "TRNO" if the record has been struck out since
 *  4  header CRC32C   4  over bytes 8 to 48 and the entry
 *  8  segment         8  the segment that it was written to, to detect recycled blocks
 * 16  sequence        8  greater than that of every record written before on this disk
 * 24  durable         8  every record up to this sequence was on the device when this was written:
 *                        damage up to it is a loss; damage after it may be an unfinished write
 * 32  entry length    4
 * 36  payload length  4
 * 40  payload CRC32C  4
 * 44  zero            4
 * </pre>
 */
record RecordHeader(
    long segment,
    long sequence,
    long durableSequence,
    int entryLength,
    int payloadLength,
    int payloadCrc) {
  static final int LENGTH = 48;
  static final int ALIGNMENT = 8;
  private static final int MAGIC = 0x54524543;
  private static final int STRUCK_MAGIC = 0x54524E4F;
  private static final int CRC_AT = 4;
  private static final int CRC_FROM = 8;

  static long paddedLength(int entryLength, int payloadLength) {
    long length = LENGTH + (long) entryLength + payloadLength;
    return (length + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** Writes the header at the buffer's position, before the entry, which is already there. */
  void write(ByteBuffer buffer) {
    int start = buffer.position();
    buffer.putInt(MAGIC).putInt(0).putLong(segment).putLong(sequence).putLong(durableSequence);
    buffer.putInt(entryLength).putInt(payloadLength).putInt(payloadCrc).putInt(0);
    buffer.putInt(start + CRC_AT, crc(buffer, start, entryLength));
  }

  /** Whether a record's magic is at this position. */
  static boolean startsAt(ByteBuffer buffer, int start) {
    return buffer.getInt(start) == MAGIC || isStruckOut(buffer, start);
  }

  /** Whether the record at this position is struck out. */
  static boolean isStruckOut(ByteBuffer buffer, int start) {
    return buffer.getInt(start) == STRUCK_MAGIC;
  }

  /** The magic of a struck-out record. */
  static ByteBuffer struckMagic() {
    return ByteBuffer.allocate(Integer.BYTES).putInt(STRUCK_MAGIC).flip();
  }

  /** The header at this position, not yet verified. */
  static RecordHeader readUnverified(ByteBuffer buffer, int start) {
    return new RecordHeader(
        buffer.getLong(start + 8),
        buffer.getLong(start + 16),
        buffer.getLong(start + 24),
        buffer.getInt(start + 32),
        buffer.getInt(start + 36),
        buffer.getInt(start + 40));
  }

  /** Verifies the checksum of header and entry, both of which are in the buffer. */
  boolean verify(ByteBuffer buffer, int start) {
    return buffer.getInt(start + CRC_AT) == crc(buffer, start, entryLength);
  }

  private static int crc(ByteBuffer buffer, int start, int entryLength) {
    CRC32C crc = new CRC32C();
    crc.update(buffer.duplicate().limit(start + LENGTH + entryLength).position(start + CRC_FROM));
    return (int) crc.getValue();
  }
}
