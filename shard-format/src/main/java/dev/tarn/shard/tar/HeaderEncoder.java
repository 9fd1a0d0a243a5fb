package dev.tarn.shard.tar;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Encodes the headers of regular members in a deterministic form: ustar, mode 0444, user and group
 * 0 without names, and the same time in whole seconds for all. The same names and sizes always give
 * the same bytes.
 *
 * <p>Not thread-safe.
 */
public final class HeaderEncoder {
  /**
   * The default time of members: 1980-01-01T00:00:00Z, the earliest that all tools accept. Zip
   * cannot express an earlier time, and GNU tar reports 1970 as "implausibly old".
   */
  public static final long DEFAULT_TIME = 315_532_800;

  /** Maximum time, which fits eleven octal digits; in the year 2242. */
  public static final long MAXIMUM_TIME = (1L << 33) - 1;

  private static final byte[] PAX_NAME = "././@PaxHeader".getBytes(US_ASCII);
  private static final int SIZE_DIGITS = 11;
  private static final int CHECKSUM_DIGITS = 6;

  private final byte[] template = new byte[TarFormat.BLOCK];
  private final int templateSum;
  private final byte[] block = new byte[TarFormat.BLOCK];

  /**
   * @param time of every member, in seconds since 1970, from 0 to {@link #MAXIMUM_TIME}
   */
  public HeaderEncoder(long time) {
    if (time < 0 || time > MAXIMUM_TIME) {
      throw new IllegalArgumentException("time " + time + " is not within 0 and " + MAXIMUM_TIME);
    }
    put(TarFormat.MODE, "0000444");
    put(TarFormat.UID, "0000000");
    put(TarFormat.GID, "0000000");
    putOctal(template, TarFormat.MTIME, SIZE_DIGITS, time);
    Arrays.fill(
        template, TarFormat.CHECKSUM, TarFormat.CHECKSUM + TarFormat.CHECKSUM_LENGTH, (byte) ' ');
    put(TarFormat.MAGIC, "ustar\u000000");
    put(TarFormat.DEVICE_MAJOR, "0000000");
    put(TarFormat.DEVICE_MINOR, "0000000");
    templateSum = sum(template, 0, template.length);
  }

  private void put(int field, String text) {
    byte[] bytes = text.getBytes(US_ASCII);
    System.arraycopy(bytes, 0, template, field, bytes.length);
  }

  /**
   * Writes a member's headers to a buffer: {@link TarLayout#headerLength} bytes.
   *
   * @param name its bytes: not empty, without NUL, and without a slash at the end
   * @param size of its data in bytes
   */
  public void encode(ByteBuffer target, byte[] name, long size) {
    checkName(name);
    if (size < 0) {
      throw new IllegalArgumentException("size " + size + " is negative");
    }
    if (PaxHeader.length(name, size) > 0) {
      byte[] records = PaxHeader.records(name, size);
      encodeBlock(target, PAX_NAME, records.length, TarFormat.TYPE_PAX_LOCAL);
      target.put(records);
      target.put(new byte[TarFormat.padding(records.length)]);
    }
    encodeBlock(target, name, PaxHeader.fitsOctal(size) ? size : 0, TarFormat.TYPE_REGULAR);
  }

  private static void checkName(byte[] name) {
    if (name.length == 0) {
      throw new IllegalArgumentException("a member's name is empty");
    }
    for (byte b : name) {
      if (b == 0) {
        throw new IllegalArgumentException("a member's name holds a NUL, which tar cannot express");
      }
    }
    if (name[name.length - 1] == '/') {
      throw new IllegalArgumentException("a member's name ends in a slash, as directories' do");
    }
  }

  /**
   * Writes a block. A name that is too long is truncated; the PAX header before has the whole name.
   */
  private void encodeBlock(ByteBuffer target, byte[] name, long size, byte type) {
    System.arraycopy(template, 0, block, 0, block.length);
    int nameLength = Math.min(name.length, TarFormat.NAME_LENGTH);
    System.arraycopy(name, 0, block, TarFormat.NAME, nameLength);
    putOctal(block, TarFormat.SIZE, SIZE_DIGITS, size);
    block[TarFormat.TYPE] = type;
    int checksum =
        templateSum
            + sum(block, TarFormat.NAME, nameLength)
            + sum(block, TarFormat.SIZE, SIZE_DIGITS)
            + type;
    putOctal(block, TarFormat.CHECKSUM, CHECKSUM_DIGITS, checksum);
    block[TarFormat.CHECKSUM + CHECKSUM_DIGITS] = 0;
    target.put(block);
  }

  private static void putOctal(byte[] target, int field, int digits, long value) {
    long rest = value;
    for (int i = field + digits - 1; i >= field; i--) {
      target[i] = (byte) ('0' + (rest & 7));
      rest >>>= 3;
    }
  }

  private static int sum(byte[] bytes, int offset, int length) {
    int sum = 0;
    for (int i = offset; i < offset + length; i++) {
      sum += bytes[i] & 0xff;
    }
    return sum;
  }
}
