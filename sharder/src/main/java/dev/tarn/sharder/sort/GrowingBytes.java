package dev.tarn.sharder.sort;

import java.util.Arrays;

/** Bytes that are appended to a reusable array. */
public final class GrowingBytes {
  private static final int LEAST_CAPACITY = 256;

  private byte[] bytes = new byte[LEAST_CAPACITY];
  private int length;

  public void clear() {
    length = 0;
  }

  /** Returns the array. Its first {@link #length()} bytes are valid until the next put. */
  public byte[] array() {
    return bytes;
  }

  public int length() {
    return length;
  }

  public byte[] toArray() {
    return Arrays.copyOf(bytes, length);
  }

  public void put(int value) {
    reserve(1);
    bytes[length++] = (byte) value;
  }

  public void putShort(int value) {
    put(value >>> 8);
    put(value);
  }

  public void putLong(long value) {
    reserve(Long.BYTES);
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes[length++] = (byte) (value >>> shift);
    }
  }

  /**
   * Writes seven bits per byte, lowest bits first; the high bit of a byte means that more follow.
   */
  public void putVarint(long value) {
    long rest = value;
    while (rest >>> 7 != 0) {
      put((int) rest | 0x80);
      rest >>>= 7;
    }
    put((int) rest);
  }

  public void put(byte[] source) {
    put(source, 0, source.length);
  }

  public void put(byte[] source, int offset, int count) {
    reserve(count);
    System.arraycopy(source, offset, bytes, length, count);
    length += count;
  }

  /** Writes the length as a varint, then the bytes. */
  public void putSized(byte[] source) {
    putVarint(source.length);
    put(source);
  }

  private void reserve(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(length + more, bytes.length * 2));
    }
  }
}
