package dev.tarn.targetnode.store.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Map;

/** Writes numbers and texts one behind the other into a growing array. */
public final class BinaryWriter {
  private byte[] bytes = new byte[256];
  private int length;

  /** What has been written. */
  public byte[] toBytes() {
    return Arrays.copyOf(bytes, length);
  }

  /** One byte. */
  public BinaryWriter put(int value) {
    reserve(1);
    bytes[length++] = (byte) value;
    return this;
  }

  /** A number in 1 to 10 bytes, 7 bits each, the lowest first; small ones are short. */
  public BinaryWriter putNumber(long value) {
    reserve(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
    return this;
  }

  /** Eight bytes, the highest first. */
  public BinaryWriter putLong(long value) {
    reserve(8);
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes[length++] = (byte) (value >>> shift);
    }
    return this;
  }

  /** A length and that many bytes. */
  public BinaryWriter putBytes(byte[] value) {
    putNumber(value.length);
    reserve(value.length);
    System.arraycopy(value, 0, bytes, length, value.length);
    length += value.length;
    return this;
  }

  /** A length and that many bytes of UTF-8. */
  public BinaryWriter putText(String value) {
    return putBytes(value.getBytes(UTF_8));
  }

  /** A count and that many pairs of texts, in the order of the keys, so that equal maps look so. */
  public BinaryWriter putMap(Map<String, String> map) {
    putNumber(map.size());
    map.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> putText(entry.getKey()).putText(entry.getValue()));
    return this;
  }

  private void reserve(int count) {
    if (length + count > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + count));
    }
  }
}
