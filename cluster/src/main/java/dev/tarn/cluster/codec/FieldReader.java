package dev.tarn.cluster.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of a message in the order of their tags. Fields that the caller does not read
 * are skipped, unless they are marked as required.
 *
 * <p>The reader is positioned after the key of the next field. Each length is checked against the
 * bytes left before memory is allocated, so a message costs no more memory than its own size
 * allows.
 */
public final class FieldReader {
  private static final int DEPTH_MAX = 32;

  private static final VarHandle BIG_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LITTLE_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private int at;

  /** The key of the next field; {@link FieldKey#END} after the last one. */
  private int key;

  /** The tag of the last field that was read. */
  private int tagRead;

  /** Makes a value from a range of an array; must copy the bytes. */
  public interface RangeReader<T> {
    /** Makes a value from {@code length} bytes from {@code offset} on. */
    T read(byte[] bytes, int offset, int length);
  }

  /** Reads the message that begins at {@code offset}. */
  public FieldReader(byte[] bytes, int offset) throws MalformedMessageException {
    this.bytes = bytes;
    this.at = offset;
    nextKey(0);
  }

  /** A number. */
  public long number(int tag) throws MalformedMessageException {
    require(tag, FieldKey.NUMBER);
    return finish(rawNumber());
  }

  /** A number; {@code absent} if the field is missing. */
  public long number(int tag, long absent) throws MalformedMessageException {
    return find(tag, FieldKey.NUMBER) ? finish(rawNumber()) : absent;
  }

  /** A number of 32 bits. */
  public int integer(int tag) throws MalformedMessageException {
    return narrow(tag, number(tag));
  }

  /** A number of 32 bits; {@code absent} if the field is missing. */
  public int integer(int tag, int absent) throws MalformedMessageException {
    return narrow(tag, number(tag, absent));
  }

  /** A number; empty if the field is missing. */
  public OptionalLong optionalNumber(int tag) throws MalformedMessageException {
    return find(tag, FieldKey.NUMBER) ? OptionalLong.of(finish(rawNumber())) : OptionalLong.empty();
  }

  /** A number of 32 bits; empty if the field is missing. */
  public OptionalInt optionalInteger(int tag) throws MalformedMessageException {
    return find(tag, FieldKey.NUMBER)
        ? OptionalInt.of(narrow(tag, finish(rawNumber())))
        : OptionalInt.empty();
  }

  /** A number of 32 bits without a sign. */
  public int unsigned(int tag) throws MalformedMessageException {
    return narrowUnsigned(tag, number(tag));
  }

  /** A number of 32 bits without a sign; {@code absent} if the field is missing. */
  public int unsigned(int tag, int absent) throws MalformedMessageException {
    return narrowUnsigned(tag, number(tag, Integer.toUnsignedLong(absent)));
  }

  /** See {@link FieldWriter#bits}. */
  public long bits(int tag) throws MalformedMessageException {
    require(tag, FieldKey.LONG);
    need(Long.BYTES);
    long value = (long) BIG_ENDIAN_LONG.get(bytes, at);
    at += Long.BYTES;
    return finish(value);
  }

  /** A flag; false if the field is missing. */
  public boolean flag(int tag) throws MalformedMessageException {
    long value = number(tag, 0);
    if (value < 0 || value > 1) {
      throw malformed("field " + tag + " is " + value + ", must be 0 or 1");
    }
    return value == 1;
  }

  /** See {@link FieldWriter#constant}. */
  public <E extends Enum<E>> E constant(int tag, List<E> codes) throws MalformedMessageException {
    require(tag, FieldKey.NUMBER);
    return finish(rawConstant(tag, codes));
  }

  /** A constant; empty if the field is missing. */
  public <E extends Enum<E>> Optional<E> optionalConstant(int tag, List<E> codes)
      throws MalformedMessageException {
    return find(tag, FieldKey.NUMBER) ? Optional.of(constant(tag, codes)) : Optional.empty();
  }

  /** Constants in their order, at most as many as there are. */
  public <E extends Enum<E>> List<E> constants(int tag, List<E> codes)
      throws MalformedMessageException {
    return all(tag, FieldKey.NUMBER, codes.size(), () -> rawConstant(tag, codes));
  }

  /** A text. */
  public String text(int tag) throws MalformedMessageException {
    require(tag, FieldKey.BYTES);
    return finish(rawText());
  }

  /** A text; {@code absent} if the field is missing. */
  public String text(int tag, String absent) throws MalformedMessageException {
    return find(tag, FieldKey.BYTES) ? finish(rawText()) : absent;
  }

  /** A text; empty if the field is missing. */
  public Optional<String> optionalText(int tag) throws MalformedMessageException {
    return find(tag, FieldKey.BYTES) ? Optional.of(finish(rawText())) : Optional.empty();
  }

  /** Texts in their order, at most {@code countMax}. */
  public List<String> texts(int tag, int countMax) throws MalformedMessageException {
    return all(tag, FieldKey.BYTES, countMax, this::rawText);
  }

  /** See {@link FieldWriter#map}; at most {@code countMax} names. */
  public Map<String, String> map(int tag, int countMax) throws MalformedMessageException {
    List<Map.Entry<String, String>> entries =
        all(tag, FieldKey.BYTES, countMax, () -> rawEntry(tag));
    if (entries.size() == 1) {
      return Map.of(entries.get(0).getKey(), entries.get(0).getValue());
    }
    @SuppressWarnings({"unchecked", "rawtypes"}) // there are no arrays of generic types
    Map.Entry<String, String>[] array = entries.toArray(new Map.Entry[0]);
    return Map.ofEntries(array);
  }

  private Map.Entry<String, String> rawEntry(int tag) throws MalformedMessageException {
    String name = rawText();
    nextKey(tag);
    require(tag, FieldKey.BYTES);
    return Map.entry(name, rawText());
  }

  /** Bytes. */
  public byte[] bytes(int tag) throws MalformedMessageException {
    return bytes(tag, (array, offset, count) -> Arrays.copyOfRange(array, offset, offset + count));
  }

  /** The value that a reader makes from bytes. */
  public <T> T bytes(int tag, RangeReader<T> reader) throws MalformedMessageException {
    require(tag, FieldKey.BYTES);
    int length = rawLength();
    T value = reader.read(bytes, at, length);
    at += length;
    return finish(value);
  }

  /** A nested message. */
  public <T> T message(int tag, Codec<T> codec) throws MalformedMessageException {
    require(tag, FieldKey.MESSAGE);
    return finish(rawMessage(codec));
  }

  /** The bytes of a nested message, for {@link FieldWriter#encoded}. */
  public byte[] encoded(int tag) throws MalformedMessageException {
    require(tag, FieldKey.MESSAGE);
    int start = at;
    skipValue(FieldKey.MESSAGE, 0);
    return finish(Arrays.copyOfRange(bytes, start, at));
  }

  /** A nested message; empty if the field is missing. */
  public <T> Optional<T> optionalMessage(int tag, Codec<T> codec) throws MalformedMessageException {
    return Optional.ofNullable(nullableMessage(tag, codec));
  }

  /** A nested message; null if the field is missing. */
  public <T> @Nullable T nullableMessage(int tag, Codec<T> codec) throws MalformedMessageException {
    return find(tag, FieldKey.MESSAGE) ? message(tag, codec) : null;
  }

  /** Messages in their order, at most {@code countMax}. */
  public <T> List<T> messages(int tag, Codec<T> codec, int countMax)
      throws MalformedMessageException {
    return all(tag, FieldKey.MESSAGE, countMax, () -> rawMessage(codec));
  }

  /** The tag of the next field; 0 after the last one. */
  public int nextTag() {
    return key >>> FieldKey.TAG_SHIFT;
  }

  /** An exception with this problem and the position. */
  public MalformedMessageException malformed(String problem) {
    return new MalformedMessageException(problem + place());
  }

  String place() {
    return " (before byte " + at + " of " + bytes.length + ")";
  }

  /** Skips the fields that are left; no bytes may follow the message. */
  public void end() throws MalformedMessageException {
    skipToEnd();
    if (at < bytes.length) {
      throw new MalformedMessageException(bytes.length - at + " bytes follow the message");
    }
  }

  void skipToEnd() throws MalformedMessageException {
    while (key != FieldKey.END) {
      skip();
    }
  }

  /** Reads one of the values of a field. */
  private interface ValueReader<T> {
    T read() throws MalformedMessageException;
  }

  /** All values of a field. */
  private <T> List<T> all(int tag, int type, int countMax, ValueReader<T> reader)
      throws MalformedMessageException {
    if (!find(tag, type)) {
      return List.of();
    }
    List<T> values = new ArrayList<>();
    do {
      requireRoom(values, tag, countMax);
      values.add(reader.read());
      nextKey(tag);
    } while (find(tag, type));
    tagRead = tag;
    return List.copyOf(values);
  }

  /**
   * Refuses one more value than there may be. The limit keeps the memory of a message near its
   * size: an empty value takes two bytes in the message and many times more as an object.
   */
  private void requireRoom(List<?> values, int tag, int countMax) throws MalformedMessageException {
    if (values.size() == countMax) {
      throw malformed("field " + tag + " has more than " + countMax + " values");
    }
  }

  private <T> T rawMessage(Codec<T> codec) throws MalformedMessageException {
    int outerKey = key;
    int outerTagRead = tagRead;
    tagRead = 0;
    nextKey(0);
    T value = codec.readWhole(this);
    key = outerKey;
    tagRead = outerTagRead;
    return value;
  }

  private <E extends Enum<E>> E rawConstant(int tag, List<E> codes)
      throws MalformedMessageException {
    long code = rawNumber();
    if (code < 0 || code >= codes.size()) {
      throw malformed(
          "field "
              + tag
              + " has the code "
              + code
              + ", known are 0 to "
              + (codes.size() - 1)
              + "; update this process");
    }
    return codes.get((int) code);
  }

  private String rawText() throws MalformedMessageException {
    int length = rawLength();
    String text = new String(bytes, at, length, UTF_8);
    // The decoder puts this character in place of bytes that are not UTF-8.
    if (text.indexOf('\uFFFD') >= 0
        && !Arrays.equals(text.getBytes(UTF_8), Arrays.copyOfRange(bytes, at, at + length))) {
      throw malformed("text is not UTF-8");
    }
    at += length;
    return text;
  }

  private int rawLength() throws MalformedMessageException {
    long length = rawNumber();
    if (length < 0 || length > bytes.length - at) {
      throw malformed(
          "length is " + Long.toUnsignedString(length) + ", left are " + (bytes.length - at));
    }
    return (int) length;
  }

  private long rawNumber() throws MalformedMessageException {
    if (at < bytes.length) {
      byte first = bytes[at];
      if (first >= 0) {
        at++;
        return first;
      }
    }
    return longNumber();
  }

  /** Reads a number of several bytes: up to eight at once, without a loop. */
  private long longNumber() throws MalformedMessageException {
    if (bytes.length - at >= Long.BYTES) {
      long word = (long) LITTLE_ENDIAN_LONG.get(bytes, at);
      long lastBytes = ~word & 0x8080_8080_8080_8080L;
      if (lastBytes != 0) {
        at += (Long.numberOfTrailingZeros(lastBytes) >>> 3) + 1;
        // Join the lower seven bits of each byte: in pairs, then fours, then all.
        long sevens = word & (lastBytes ^ (lastBytes - 1));
        long pairs = (sevens & 0x007F_007F_007F_007FL) | (sevens & 0x7F00_7F00_7F00_7F00L) >>> 1;
        long fours = (pairs & 0x3FFF_0000_3FFFL) | (pairs & 0x3FFF_0000_3FFF_0000L) >>> 2;
        return (fours & 0x0FFF_FFFFL) | (fours & 0x0FFF_FFFF_0000_0000L) >>> 4;
      }
    }
    return longestNumber();
  }

  private long longestNumber() throws MalformedMessageException {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      need(1);
      int next = bytes[at++];
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw malformed("number has more than 10 bytes");
  }

  private int narrow(int tag, long value) throws MalformedMessageException {
    if (value != (int) value) {
      throw malformed("field " + tag + " is " + value + ", must fit 32 bits");
    }
    return (int) value;
  }

  private int narrowUnsigned(int tag, long value) throws MalformedMessageException {
    if (value >>> Integer.SIZE != 0) {
      throw malformed("field " + tag + " is " + value + ", must fit 32 bits without a sign");
    }
    return (int) value;
  }

  /** Whether the next field has this tag; fields before it are skipped. */
  private boolean find(int tag, int type) throws MalformedMessageException {
    return (key & ~FieldKey.REQUIRED) == (tag << FieldKey.TAG_SHIFT | type)
        || (key >>> FieldKey.TAG_SHIFT <= tag && key != FieldKey.END && seek(tag, type));
  }

  private boolean seek(int tag, int type) throws MalformedMessageException {
    while (key != FieldKey.END && key >>> FieldKey.TAG_SHIFT < tag) {
      skip();
    }
    if (key >>> FieldKey.TAG_SHIFT != tag) {
      return false;
    }
    if ((key & FieldKey.TYPE_MASK) != type) {
      throw malformed(
          "field " + tag + " has the type " + (key & FieldKey.TYPE_MASK) + ", expected " + type);
    }
    return true;
  }

  private void require(int tag, int type) throws MalformedMessageException {
    if (!find(tag, type)) {
      throw malformed("required field " + tag + " is missing");
    }
  }

  /** Moves to the key after a value. */
  private <T> T finish(T value) throws MalformedMessageException {
    advance();
    return value;
  }

  private long finish(long value) throws MalformedMessageException {
    advance();
    return value;
  }

  private void advance() throws MalformedMessageException {
    tagRead = key >>> FieldKey.TAG_SHIFT;
    nextKey(tagRead);
  }

  private void nextKey(int tagBefore) throws MalformedMessageException {
    if (at < bytes.length) {
      int next = bytes[at];
      // A key of one byte is not negative.
      if (next >= Math.max(tagBefore, 1) << FieldKey.TAG_SHIFT || next == FieldKey.END) {
        at++;
        key = next;
        return;
      }
    }
    nextLongKey(tagBefore);
  }

  private void nextLongKey(int tagBefore) throws MalformedMessageException {
    long next = rawNumber();
    int tag = (int) (next >>> FieldKey.TAG_SHIFT);
    if (next != FieldKey.END && (next >>> (Integer.SIZE - 1) != 0 || tag == 0 || tag < tagBefore)) {
      throw malformed("key " + next + " after field " + tagBefore + " is not of a next field");
    }
    key = (int) next;
  }

  /** Skips a field that the caller did not read. */
  private void skip() throws MalformedMessageException {
    int tag = key >>> FieldKey.TAG_SHIFT;
    if (tag == tagRead) {
      throw malformed("field " + tag + " comes twice");
    }
    if ((key & FieldKey.REQUIRED) != 0) {
      throw malformed(
          "field " + tag + " is required and not known to this release; update this process");
    }
    skipValue(key & FieldKey.TYPE_MASK, 0);
    nextKey(tag);
  }

  private void skipValue(int type, int depth) throws MalformedMessageException {
    switch (type) {
      case FieldKey.NUMBER -> rawNumber();
      case FieldKey.LONG -> {
        need(Long.BYTES);
        at += Long.BYTES;
      }
      case FieldKey.BYTES -> {
        int length = rawLength();
        at += length;
      }
      default -> {
        if (depth == DEPTH_MAX) {
          throw malformed("messages are nested more than " + DEPTH_MAX + " deep");
        }
        for (long inner = rawNumber(); inner != FieldKey.END; inner = rawNumber()) {
          skipValue((int) inner & FieldKey.TYPE_MASK, depth + 1);
        }
      }
    }
  }

  private void need(int count) throws MalformedMessageException {
    if (bytes.length - at < count) {
      throw malformed("the message ends too early");
    }
  }
}
