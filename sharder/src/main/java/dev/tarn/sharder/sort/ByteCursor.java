package dev.tarn.sharder.sort;

import java.util.Arrays;

/** Reads what {@link GrowingBytes} wrote. */
public final class ByteCursor {
  private byte[] bytes = new byte[0];
  private int position;
  private int end;

  public ByteCursor() {}

  public ByteCursor(byte[] bytes) {
    set(bytes, 0, bytes.length);
  }

  /** Starts over with {@code length} bytes at {@code offset}. */
  public void set(byte[] source, int offset, int length) {
    bytes = source;
    position = offset;
    end = offset + length;
  }

  public int position() {
    return position;
  }

  public boolean isAtEnd() {
    return position >= end;
  }

  public int take() {
    require(1);
    return bytes[position++] & 0xff;
  }

  public int takeShort() {
    return take() << 8 | take();
  }

  public long takeLong() {
    require(Long.BYTES);
    long value = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      value = value << 8 | (bytes[position++] & 0xff);
    }
    return value;
  }

  public long takeVarint() {
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
  public int takeLength() {
    long length = takeVarint();
    if (length < 0 || length > end - position) {
      throw new IndexOutOfBoundsException(length + " bytes do not follow");
    }
    return (int) length;
  }

  public byte[] take(int length) {
    require(length);
    position += length;
    return Arrays.copyOfRange(bytes, position - length, position);
  }

  public byte[] takeSized() {
    return take(takeLength());
  }

  public void skip(int length) {
    require(length);
    position += length;
  }

  /** Takes the bytes before the next zero, and skips the zero. */
  public byte[] takeToZero() {
    int start = position;
    while (take() != 0) {
      // continue the search
    }
    return Arrays.copyOfRange(bytes, start, position - 1);
  }

  public byte[] takeRest() {
    return take(end - position);
  }

  private void require(int length) {
    if (end - position < length) {
      throw new IndexOutOfBoundsException(length + " bytes do not follow");
    }
  }
}
