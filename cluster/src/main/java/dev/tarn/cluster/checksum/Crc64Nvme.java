package dev.tarn.cluster.checksum;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.Checksum;

/**
 * The CRC-64 of the NVM Express specification in plain Java: reflected, with all bits set at the
 * start and inverted at the end.
 *
 * <p>Slicing by eight (Kounavis and Berry): {@code TABLE[256 * k + b]} is the CRC of byte {@code b}
 * followed by {@code k} zero bytes, so that eight bytes cost eight independent look-ups.
 */
public final class Crc64Nvme implements Checksum {
  /** The polynomial 0xAD93D23594C93659, bit-reversed. */
  static final long POLYNOMIAL_REFLECTED = 0x9A6C9329AC4BC9B5L;

  private static final int SLICE = 256;
  private static final long[] TABLE = table();

  private long state = -1;

  private static long[] table() {
    long[] table = new long[Long.BYTES * SLICE];
    for (int value = 0; value < SLICE; value++) {
      long crc = value;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        crc = (crc >>> 1) ^ (POLYNOMIAL_REFLECTED & -(crc & 1));
      }
      table[value] = crc;
    }
    for (int i = SLICE; i < table.length; i++) {
      long before = table[i - SLICE];
      table[i] = (before >>> Byte.SIZE) ^ table[(int) (before & 0xFF)];
    }
    return table;
  }

  @Override
  public void update(int value) {
    state = (state >>> Byte.SIZE) ^ TABLE[(int) (state ^ value) & 0xFF];
  }

  @Override
  public void update(byte[] bytes, int offset, int length) {
    update(ByteBuffer.wrap(bytes, offset, length));
  }

  /** Adds the bytes from position to limit and moves the position to the limit. */
  @Override
  public void update(ByteBuffer bytes) {
    ByteBuffer view = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    int index = view.position();
    long crc = state;
    for (; index <= view.limit() - Long.BYTES; index += Long.BYTES) {
      long word = crc ^ view.getLong(index);
      crc =
          TABLE[7 * SLICE + (int) (word & 0xFF)]
              ^ TABLE[6 * SLICE + (int) (word >>> 8 & 0xFF)]
              ^ TABLE[5 * SLICE + (int) (word >>> 16 & 0xFF)]
              ^ TABLE[4 * SLICE + (int) (word >>> 24 & 0xFF)]
              ^ TABLE[3 * SLICE + (int) (word >>> 32 & 0xFF)]
              ^ TABLE[2 * SLICE + (int) (word >>> 40 & 0xFF)]
              ^ TABLE[SLICE + (int) (word >>> 48 & 0xFF)]
              ^ TABLE[(int) (word >>> 56)];
    }
    state = crc;
    for (; index < view.limit(); index++) {
      update(view.get(index));
    }
    bytes.position(bytes.limit());
  }

  @Override
  public long getValue() {
    return ~state;
  }

  @Override
  public void reset() {
    state = -1;
  }
}
