package dev.tarn.targetnode.store.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.Map;

/** Reads what {@link BinaryWriter} wrote. */
public final class BinaryReader {
  private final byte[] bytes;
  private int at;

  /** Reads from {@code offset} on. */
  public BinaryReader(byte[] bytes, int offset) {
    this.bytes = bytes;
    this.at = offset;
  }

  /** One byte, 0 to 255. */
  public int get() {
    require(1);
    return bytes[at++] & 0xFF;
  }

  /** See {@link BinaryWriter#putNumber}. */
  public long getNumber() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int next = get();
      value |= (long) (next & 0x7F) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw new MalformedRecordException("number at " + at + " has more than 10 bytes");
  }

  /** A count of things of which each takes at least a byte. */
  public int getCount() {
    long count = getNumber();
    if (count < 0 || count > bytes.length - at) {
      throw new MalformedRecordException("count " + count + " at " + at + " passes the end");
    }
    return (int) count;
  }

  /** See {@link BinaryWriter#putLong}. */
  public long getLong() {
    require(8);
    long value = 0;
    for (int i = 0; i < 8; i++) {
      value = value << 8 | (bytes[at++] & 0xFF);
    }
    return value;
  }

  /** See {@link BinaryWriter#putBytes}. */
  public byte[] getBytes() {
    byte[] value = new byte[getCount()];
    System.arraycopy(bytes, at, value, 0, value.length);
    at += value.length;
    return value;
  }

  /** See {@link BinaryWriter#putText}. */
  public String getText() {
    int length = getCount();
    String text = new String(bytes, at, length, UTF_8);
    at += length;
    return text;
  }

  /** See {@link BinaryWriter#putMap}. */
  public Map<String, String> getMap() {
    int size = getCount();
    if (size == 0) {
      return Map.of();
    }
    Map<String, String> map = HashMap.newHashMap(size);
    for (int i = 0; i < size; i++) {
      String key = getText();
      map.put(key, getText());
    }
    return map;
  }

  private void require(int count) {
    if (bytes.length - at < count) {
      throw new MalformedRecordException("record ends at " + bytes.length + " in a value");
    }
  }
}
