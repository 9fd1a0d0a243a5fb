package dev.tarn.shard.tar;

import dev.tarn.shard.name.MemberNames;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A view of one header block, without copies except of the name. */
final class HeaderBlock {
  private static final long EVEN_BYTES = 0x00ff00ff00ff00ffL;
  private static final int USTAR = 0x75737461;
  private static final int XSTAR = 0x74617200;

  private final byte[] nameBytes = new byte[TarFormat.PREFIX_LENGTH + 1 + TarFormat.NAME_LENGTH];

  private ByteBuffer buffer = ByteBuffer.allocate(TarFormat.BLOCK);
  private int start;

  /** Views the block at {@code start} of a big-endian buffer. */
  void reset(ByteBuffer buffer, int start) {
    if (buffer.order() != ByteOrder.BIG_ENDIAN) {
      throw new IllegalArgumentException("header blocks are read from big-endian buffers");
    }
    this.buffer = buffer;
    this.start = start;
  }

  boolean isZero() {
    long bits = 0;
    for (int i = 0; bits == 0 && i < TarFormat.BLOCK; i += Long.BYTES) {
      bits |= buffer.getLong(start + i);
    }
    return bits == 0;
  }

  byte type() {
    return buffer.get(start + TarFormat.TYPE);
  }

  /**
   * Returns whether the checksum is correct. It is the sum of the block's bytes, with spaces in
   * place of the checksum. Some old programs summed signed bytes, which all readers accept too.
   */
  boolean isChecksumRight() {
    long stated = octal(TarFormat.CHECKSUM, TarFormat.CHECKSUM_LENGTH);
    return stated == unsignedSum() || stated == signedSum();
  }

  /**
   * Sums in four 16-bit lanes: each lane adds two bytes of 64 words, at most 32,640, so none
   * overflows.
   */
  private long unsignedSum() {
    long lanes = 0;
    for (int i = 0; i < TarFormat.BLOCK; i += Long.BYTES) {
      long word = buffer.getLong(start + i);
      lanes += (word & EVEN_BYTES) + ((word >>> 8) & EVEN_BYTES);
    }
    long sum = (lanes & 0xffff) + (lanes >>> 16 & 0xffff) + (lanes >>> 32 & 0xffff);
    sum += lanes >>> 48;
    for (int i = 0; i < TarFormat.CHECKSUM_LENGTH; i++) {
      sum += ' ' - (buffer.get(start + TarFormat.CHECKSUM + i) & 0xff);
    }
    return sum;
  }

  private long signedSum() {
    long sum = 0;
    for (int i = 0; i < TarFormat.BLOCK; i++) {
      boolean inChecksum =
          i >= TarFormat.CHECKSUM && i < TarFormat.CHECKSUM + TarFormat.CHECKSUM_LENGTH;
      sum += inChecksum ? ' ' : buffer.get(start + i);
    }
    return sum;
  }

  /** Returns the size, in octal or base 256; negative if the field is not a size. */
  long size() {
    byte first = buffer.get(start + TarFormat.SIZE);
    if (first >= 0) {
      return octal(TarFormat.SIZE, TarFormat.SIZE_LENGTH);
    }
    boolean fits =
        first == (byte) 0x80
            && (buffer.getInt(start + TarFormat.SIZE) & 0x00ffffff) == 0
            && buffer.getLong(start + TarFormat.SIZE + 4) >= 0;
    return fits ? buffer.getLong(start + TarFormat.SIZE + 4) : -1;
  }

  /**
   * Returns a number in octal digits, after optional spaces and before a space or NUL; -1 if
   * invalid.
   */
  private long octal(int field, int length) {
    int at = start + field;
    int end = at + length;
    while (at < end && buffer.get(at) == ' ') {
      at++;
    }
    long value = 0;
    for (; at < end; at++) {
      byte digit = buffer.get(at);
      if (digit == 0 || digit == ' ') {
        break;
      }
      if (digit < '0' || digit > '7') {
        return -1;
      }
      value = value << 3 | (digit - '0');
    }
    return value;
  }

  boolean isNameEndingInSlash() {
    int length = length(TarFormat.NAME, TarFormat.NAME_LENGTH);
    return length > 0 && buffer.get(start + TarFormat.NAME + length - 1) == '/';
  }

  /** Returns the prefix (if the format has one) and a slash, followed by the name. */
  String name() {
    int prefixLength = isUstar() ? length(TarFormat.PREFIX, prefixLimit()) : 0;
    int length = 0;
    if (prefixLength > 0) {
      buffer.get(start + TarFormat.PREFIX, nameBytes, 0, prefixLength);
      nameBytes[prefixLength] = '/';
      length = prefixLength + 1;
    }
    int nameLength = length(TarFormat.NAME, TarFormat.NAME_LENGTH);
    buffer.get(start + TarFormat.NAME, nameBytes, length, nameLength);
    return MemberNames.decode(nameBytes, 0, length + nameLength);
  }

  /** GNU's older format has "ustar" and a space, and other fields in the place of the prefix. */
  private boolean isUstar() {
    int at = start + TarFormat.MAGIC;
    return buffer.getInt(at) == USTAR && buffer.getShort(at + 4) == 'r' << 8;
  }

  private int prefixLimit() {
    return buffer.getInt(start + TarFormat.XSTAR_MAGIC) == XSTAR
        ? TarFormat.XSTAR_PREFIX_LENGTH
        : TarFormat.PREFIX_LENGTH;
  }

  private int length(int field, int limit) {
    int length = 0;
    while (length < limit && buffer.get(start + field + length) != 0) {
      length++;
    }
    return length;
  }
}
