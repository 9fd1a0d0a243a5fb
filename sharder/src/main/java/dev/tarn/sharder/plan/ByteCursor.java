package dev.tarn.sharder.plan;

import java.util.Arrays;

/** Reads what {@link GrowingBytes} wrote. */
final class ByteCursor {
  private byte[] bytes = new byte[0];
  private int position;
  private int end;

  ByteCursor() {}

  ByteCursor(byte[] bytes) {
    set(bytes, 0, bytes.length);
  }

  /** Starts over with {@code length} bytes at {@code offset}. */
  void set(byte[] source, int offset, int length) {
    bytes = source;
    position = offset;
    end = offset + length;
  }

  int position() {
    return position;
  }

  boolean isAtEnd() {
    return position >= end;
  }

  int take() {
    require(1);
    return bytes[position++] & 0xff;
  }

  int takeShort() {
    return take() << 8 | take();
  }

  long takeLong() {
    require(Long.BYTES);
    long value = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      value = value << 8 | (bytes[position++] & 0xff);
    }
    return value;
  }

  long takeVarint() {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      int part = take();
      value |= (long) (part & 0x7f) << shift;
      if (part < 0x80) {
        return value;
      }
      if (shift > 56) {
        throw new IndexOutOfBoundsException("a number of more than 64 bits");
      }
    }
  }

  /** Takes a length in bytes; throws IndexOutOfBoundsException if fewer bytes follow. */
  int takeLength() {
    long length = takeVarint();
    if (length < 0 || length > end - position) {
      throw new IndexOutOfBoundsException(length + " bytes do not follow");
    }
    return (int) length;
  }

  byte[] take(int length) {
    require(length);
    position += length;
    return Arrays.copyOfRange(bytes, position - length, position);
  }

  byte[] takeSized() {
    return take(takeLength());
  }

  void skip(int length) {
    require(length);
    position += length;
  }

  /** Takes the bytes before the next zero, and skips the zero. */
  byte[] takeToZero() {
    int start = position;
    while (take() != 0) {
      // continue the search
    }
    return Arrays.copyOfRange(bytes, start, position - 1);
  }

  byte[] takeRest() {
    return take(end - position);
  }

  private void require(int length) {
    if (end - position < length) {
      throw new IndexOutOfBoundsException(length + " bytes do not follow");
    }
  }
}
