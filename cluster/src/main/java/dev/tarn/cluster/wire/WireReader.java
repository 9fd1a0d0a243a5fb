package dev.tarn.cluster.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Takes fields out of an array. Every length is compared with the bytes there are before anything
 * is made of it, so that what a message costs is bounded by its own size.
 */
final class WireReader {
  private final byte[] bytes;
  private int position;

  WireReader(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Reads a field of some type. */
  interface Field<T> {
    T read(WireReader in) throws WireException;
  }

  int readByte() throws WireException {
    need(1);
    return bytes[position++] & 0xFF;
  }

  boolean readBoolean() throws WireException {
    int value = readByte();
    if (value > 1) {
      throw at("boolean is " + value + ", must be 0 or 1");
    }
    return value == 1;
  }

  int readInt() throws WireException {
    need(Integer.BYTES);
    int value = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      value = value << 8 | (bytes[position++] & 0xFF);
    }
    return value;
  }

  long readLong() throws WireException {
    return (long) readInt() << 32 | (readInt() & 0xFFFF_FFFFL);
  }

  byte[] readBytes() throws WireException {
    int length = readCount();
    byte[] value = Arrays.copyOfRange(bytes, position, position + length);
    position += length;
    return value;
  }

  String readText() throws WireException {
    int length = readCount();
    try {
      String value = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, position, length)).toString();
      position += length;
      return value;
    } catch (CharacterCodingException malformed) {
      throw new WireException("text at byte " + position + " is not UTF-8", malformed);
    }
  }

  <E extends Enum<E>> E readEnum(List<E> codes) throws WireException {
    int code = readByte();
    if (code >= codes.size()) {
      throw at("code is " + code + ", must be less than " + codes.size());
    }
    return codes.get(code);
  }

  <T> Optional<T> readOptional(Field<T> field) throws WireException {
    return readBoolean() ? Optional.of(field.read(this)) : Optional.empty();
  }

  OptionalLong readOptionalLong() throws WireException {
    return readBoolean() ? OptionalLong.of(readLong()) : OptionalLong.empty();
  }

  <T> List<T> readAll(Field<T> field) throws WireException {
    int count = readCount();
    List<T> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(field.read(this));
    }
    return values;
  }

  Map<String, String> readTexts() throws WireException {
    int count = readCount();
    Map<String, String> texts = new HashMap<>();
    for (int i = 0; i < count; i++) {
      String name = readText();
      if (texts.put(name, readText()) != null) {
        throw at("name '" + name + "' comes twice");
      }
    }
    return texts;
  }

  void expectEnd() throws WireException {
    if (position != bytes.length) {
      throw at((bytes.length - position) + " bytes too many");
    }
  }

  WireException at(String problem) {
    return new WireException(problem + " (before byte " + position + " of " + bytes.length + ")");
  }

  /** A number of things that take at least one byte each. */
  private int readCount() throws WireException {
    int count = readInt();
    if (count < 0 || count > bytes.length - position) {
      throw at("length is " + Integer.toUnsignedString(count) + ", more than there is");
    }
    return count;
  }

  private void need(int count) throws WireException {
    if (count > bytes.length - position) {
      throw at("the message ends too early");
    }
  }
}
