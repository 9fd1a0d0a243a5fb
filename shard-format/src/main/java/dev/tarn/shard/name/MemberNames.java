package dev.tarn.shard.name;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.util.Arrays;

/**
 * Converts members' names, which are bytes, to strings and back without loss.
 *
 * <p>Valid UTF-8 is decoded as usual. Every other byte {@code 0xNN} becomes the lone surrogate
 * {@code U+DCNN}. Valid UTF-8 never decodes to one, so encoding restores the bytes. This is the
 * convention of Python's file names (PEP 383, "surrogateescape"), and therefore of WebDataset's
 * keys.
 */
public final class MemberNames {
  private static final char ESCAPE = '\udc00';

  private MemberNames() {}

  /** Decodes a name. */
  public static String decode(byte[] bytes) {
    return decode(bytes, 0, bytes.length);
  }

  /** Decodes a name of {@code length} bytes at {@code offset}. */
  public static String decode(byte[] bytes, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      if (bytes[i] < 0) {
        return decodeEscaped(bytes, offset, length);
      }
    }
    return new String(bytes, offset, length, ISO_8859_1);
  }

  private static String decodeEscaped(byte[] bytes, int offset, int length) {
    CharsetDecoder decoder =
        UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer input = ByteBuffer.wrap(bytes, offset, length);
    CharBuffer output = CharBuffer.allocate(length);
    while (input.hasRemaining()) {
      CoderResult result = decoder.reset().decode(input, output, true);
      for (int i = 0; result.isError() && i < result.length(); i++) {
        output.put((char) (ESCAPE | (input.get() & 0xff)));
      }
    }
    return output.flip().toString();
  }

  /**
   * Returns the bytes of a name.
   *
   * @throws IllegalArgumentException if the name has a surrogate that no decoded name can have
   */
  public static byte[] encode(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) >= 0x80) {
        return encodeEscaped(name);
      }
    }
    return name.getBytes(ISO_8859_1);
  }

  private static byte[] encodeEscaped(String name) {
    byte[] bytes = new byte[name.length() * 3];
    int length = 0;
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c < 0x80) {
        bytes[length++] = (byte) c;
      } else if (c < 0x800) {
        bytes[length++] = (byte) (0xc0 | (c >> 6));
        bytes[length++] = (byte) (0x80 | (c & 0x3f));
      } else if (!Character.isSurrogate(c)) {
        bytes[length++] = (byte) (0xe0 | (c >> 12));
        bytes[length++] = (byte) (0x80 | ((c >> 6) & 0x3f));
        bytes[length++] = (byte) (0x80 | (c & 0x3f));
      } else if (Character.isHighSurrogate(c)
          && i + 1 < name.length()
          && Character.isLowSurrogate(name.charAt(i + 1))) {
        i++;
        int point = Character.toCodePoint(c, name.charAt(i));
        bytes[length++] = (byte) (0xf0 | (point >> 18));
        bytes[length++] = (byte) (0x80 | ((point >> 12) & 0x3f));
        bytes[length++] = (byte) (0x80 | ((point >> 6) & 0x3f));
        bytes[length++] = (byte) (0x80 | (point & 0x3f));
      } else if (c >= ESCAPE + 0x80 && c <= ESCAPE + 0xff) {
        bytes[length++] = (byte) c;
      } else {
        throw new IllegalArgumentException(
            "name " + printable(name) + " holds an unpaired surrogate: not a member's name");
      }
    }
    return Arrays.copyOf(bytes, length);
  }

  /** Compares two names by their unsigned bytes, which is the order of all sorted lists. */
  public static int compare(String left, String right) {
    int shorter = Math.min(left.length(), right.length());
    for (int i = 0; i < shorter; i++) {
      char a = left.charAt(i);
      char b = right.charAt(i);
      if (a != b) {
        return a < 0x80 && b < 0x80
            ? Character.compare(a, b)
            : Arrays.compareUnsigned(encode(left), encode(right));
      }
    }
    return Integer.compare(left.length(), right.length());
  }

  /** Returns the name in quotes for messages; escapes control characters and surrogates. */
  public static String printable(String name) {
    StringBuilder text = new StringBuilder(name.length() + 2).append('"');
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (Character.isISOControl(c) || Character.isSurrogate(c)) {
        text.append("\\u%04x".formatted((int) c));
      } else {
        text.append(c);
      }
    }
    return text.append('"').toString();
  }
}
