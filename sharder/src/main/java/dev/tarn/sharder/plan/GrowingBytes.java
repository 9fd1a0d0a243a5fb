package dev.tarn.sharder.plan;

import java.util.Arrays;

/** Bytes that are appended to a reusable array. */
final class GrowingBytes {
  private static final int LEAST_CAPACITY = 256;

  private byte[] bytes = new byte[LEAST_CAPACITY];
  private int length;

  void clear() {
    length = 0;
  }

  /** Returns the array. Its first {@link #length()} bytes are valid until the next put. */
  byte[] array() {
    return bytes;
  }

  int length() {
    return length;
  }

  byte[] toArray() {
    return Arrays.copyOf(bytes, length);
  }

  void put(int value) {
    reserve(1);
    bytes[length++] = (byte) value;
  }

  void putShort(int value) {
    put(value >>> 8);
    put(value);
  }

  void putLong(long value) {
    reserve(Long.BYTES);
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes[length++] = (byte) (value >>> shift);
    }
  }

  /**
   * Writes seven bits per byte, lowest bits first; the high bit of a byte means that more follow.
   */
  void putVarint(long value) {
    long rest = value;
    while (rest >>> 7 != 0) {
      put((int) rest | 0x80);
      rest >>>= 7;
    }
    put((int) rest);
  }

  void put(byte[] source) {
    put(source, 0, source.length);
  }

  void put(byte[] source, int offset, int count) {
    reserve(count);
    System.arraycopy(source, offset, bytes, length, count);
    length += count;
  }

  /** Writes the length as a varint, then the bytes. */
  void putSized(byte[] source) {
    putVarint(source.length);
    put(source);
  }

  private void reserve(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(length + more, bytes.length * 2));
    }
  }
}
