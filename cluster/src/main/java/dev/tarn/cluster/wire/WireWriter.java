package dev.tarn.cluster.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Appends fields to a growing array: big-endian numbers, lengths before texts and lists. */
final class WireWriter {
  private static final int CAPACITY_FIRST = 256;

  private byte[] bytes = new byte[CAPACITY_FIRST];
  private int size;

  /** Writes a field of some type. */
  interface Field<T> {
    void write(WireWriter out, T value);
  }

  byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  void writeByte(int value) {
    ensure(1);
    bytes[size++] = (byte) value;
  }

  void writeBoolean(boolean value) {
    writeByte(value ? 1 : 0);
  }

  void writeInt(int value) {
    ensure(Integer.BYTES);
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >>> shift);
    }
  }

  void writeLong(long value) {
    writeInt((int) (value >>> 32));
    writeInt((int) value);
  }

  void writeBytes(byte[] value) {
    writeInt(value.length);
    ensure(value.length);
    System.arraycopy(value, 0, bytes, size, value.length);
    size += value.length;
  }

  void writeText(String value) {
    writeBytes(value.getBytes(UTF_8));
  }

  <E extends Enum<E>> void writeEnum(List<E> codes, E value) {
    writeByte(codes.indexOf(value));
  }

  <T> void writeOptional(Optional<T> value, Field<T> field) {
    writeBoolean(value.isPresent());
    value.ifPresent(present -> field.write(this, present));
  }

  void writeOptionalLong(OptionalLong value) {
    writeBoolean(value.isPresent());
    value.ifPresent(this::writeLong);
  }

  <T> void writeAll(Collection<T> values, Field<T> field) {
    writeInt(values.size());
    values.forEach(value -> field.write(this, value));
  }

  void writeTexts(Map<String, String> texts) {
    writeInt(texts.size());
    texts.forEach((name, value) -> {
      writeText(name);
      writeText(value);
    });
  }

  private void ensure(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
    }
  }
}
