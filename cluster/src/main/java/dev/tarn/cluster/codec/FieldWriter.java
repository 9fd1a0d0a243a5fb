package dev.tarn.cluster.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes the fields of a message into a growing array. Empty values take no bytes. */
public final class FieldWriter {
  private static final int NUMBER_BYTES_MAX = 10;

  private byte[] bytes = new byte[256];
  private int length;

  /** The tag that the present message marks as required; 0 for none. */
  private int requiredTag;

  /**
   * Marks a field of this message, which comes next, as required: a reader that does not know the
   * tag refuses the message. All values of a repeated field are marked.
   */
  public FieldWriter required(int tag) {
    requiredTag = tag;
    return this;
  }

  /** A number; negative ones take ten bytes. */
  public FieldWriter number(int tag, long value) {
    return key(tag, FieldKey.NUMBER).rawNumber(value);
  }

  /** A number; left out if it is {@code absent}. */
  public FieldWriter number(int tag, long value, long absent) {
    return value == absent ? this : number(tag, value);
  }

  /** A number; left out if empty. */
  public FieldWriter number(int tag, OptionalLong value) {
    return value.isPresent() ? number(tag, value.orElseThrow()) : this;
  }

  /** A number; left out if empty. */
  public FieldWriter number(int tag, OptionalInt value) {
    return value.isPresent() ? number(tag, value.orElseThrow()) : this;
  }

  /** A number of 32 bits without a sign. */
  public FieldWriter unsigned(int tag, int value) {
    return number(tag, Integer.toUnsignedLong(value));
  }

  /** A number of 32 bits without a sign; left out if it is {@code absent}. */
  public FieldWriter unsigned(int tag, int value, int absent) {
    return value == absent ? this : unsigned(tag, value);
  }

  /** A number of eight bytes, for values whose high bits are used, such as random ids. */
  public FieldWriter bits(int tag, long value) {
    key(tag, FieldKey.LONG).reserve(Long.BYTES);
    for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      bytes[length++] = (byte) (value >>> shift);
    }
    return this;
  }

  /** A flag; left out if false. */
  public FieldWriter flag(int tag, boolean value) {
    return value ? number(tag, 1) : this;
  }

  /** The index of a constant in a list that is append only. */
  public <E extends Enum<E>> FieldWriter constant(int tag, List<E> codes, E value) {
    int code = codes.indexOf(value);
    if (code < 0) {
      throw new IllegalArgumentException(value + " has no code in " + codes);
    }
    return number(tag, code);
  }

  /** The index of a constant; left out if empty. */
  public <E extends Enum<E>> FieldWriter constant(int tag, List<E> codes, Optional<E> value) {
    return value.isPresent() ? constant(tag, codes, value.orElseThrow()) : this;
  }

  /** The indexes of constants. */
  public <E extends Enum<E>> FieldWriter constants(int tag, List<E> codes, Collection<E> values) {
    values.forEach(value -> constant(tag, codes, value));
    return this;
  }

  /** A text. */
  public FieldWriter text(int tag, String value) {
    return bytes(tag, value.getBytes(UTF_8));
  }

  /** A text; left out if it is {@code absent}. */
  public FieldWriter text(int tag, String value, String absent) {
    return value.equals(absent) ? this : text(tag, value);
  }

  /** A text; left out if empty. */
  public FieldWriter text(int tag, Optional<String> value) {
    return value.isPresent() ? text(tag, value.orElseThrow()) : this;
  }

  /** Texts in their order. */
  public FieldWriter texts(int tag, Collection<String> values) {
    values.forEach(value -> text(tag, value));
    return this;
  }

  /** Names and values by turns, in the order of the names: equal maps have equal bytes. */
  public FieldWriter map(int tag, Map<String, String> values) {
    if (!values.isEmpty()) {
      new TreeMap<>(values).forEach((name, value) -> text(tag, name).text(tag, value));
    }
    return this;
  }

  /** Bytes. */
  public FieldWriter bytes(int tag, byte[] value) {
    key(tag, FieldKey.BYTES).rawNumber(value.length);
    return append(value);
  }

  /** A nested message. */
  public <T> FieldWriter message(int tag, Codec<T> codec, T value) {
    key(tag, FieldKey.MESSAGE);
    int outerRequiredTag = requiredTag;
    requiredTag = 0;
    codec.write(this, value);
    requiredTag = outerRequiredTag;
    return end();
  }

  /** A nested message; left out if empty. */
  public <T> FieldWriter message(int tag, Codec<T> codec, Optional<T> value) {
    return value.isPresent() ? message(tag, codec, value.orElseThrow()) : this;
  }

  /** A nested message; left out if null. */
  public <T> FieldWriter nullableMessage(int tag, Codec<T> codec, @Nullable T value) {
    return value == null ? this : message(tag, codec, value);
  }

  /** Messages in their order. */
  public <T> FieldWriter messages(int tag, Codec<T> codec, Collection<T> values) {
    values.forEach(value -> message(tag, codec, value));
    return this;
  }

  /** A message made by {@link Codec#encode}. */
  public FieldWriter encoded(int tag, byte[] message) {
    return key(tag, FieldKey.MESSAGE).append(message);
  }

  FieldWriter end() {
    return rawByte(FieldKey.END);
  }

  /** The message with everything written. */
  public byte[] toMessage() {
    return end().toBytes();
  }

  private byte[] toBytes() {
    return Arrays.copyOf(bytes, length);
  }

  private FieldWriter key(int tag, int type) {
    int required = tag == requiredTag ? FieldKey.REQUIRED : 0;
    return rawNumber((long) tag << FieldKey.TAG_SHIFT | required | type);
  }

  FieldWriter rawByte(int value) {
    reserve(1);
    bytes[length++] = (byte) value;
    return this;
  }

  private FieldWriter rawNumber(long value) {
    reserve(NUMBER_BYTES_MAX);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
    return this;
  }

  private FieldWriter append(byte[] value) {
    reserve(value.length);
    System.arraycopy(value, 0, bytes, length, value.length);
    length += value.length;
    return this;
  }

  private void reserve(int count) {
    if (length + count > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + count));
    }
  }
}
