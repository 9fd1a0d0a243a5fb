package dev.tarn.gateway.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HexFormat;

/**
 * Percent-encoding as in RFC 3986, in the form that AWS uses: escapes in upper case, and every byte
 * escaped that is not unreserved.
 */
public final class PercentEncoding {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final boolean[] UNRESERVED = unreserved();

  private PercentEncoding() {}

  /**
   * Decodes a raw path or a part of one; {@code +} stays a plus.
   *
   * @throws S3Exception InvalidURI if an escape is broken or the bytes are not UTF-8
   */
  public static String decodePath(String raw) {
    return decode(raw, false);
  }

  /**
   * Decodes a raw name or value of a query, or a copy source; {@code +} is a space.
   *
   * @throws S3Exception InvalidURI if an escape is broken or the bytes are not UTF-8
   */
  public static String decodeQuery(String raw) {
    return decode(raw, true);
  }

  /** Whether AWS does not escape this byte: letters, digits and {@code - . _ ~}. */
  public static boolean isUnreserved(int value) {
    return value >= 0 && value < UNRESERVED.length && UNRESERVED[value];
  }

  private static boolean[] unreserved() {
    boolean[] table = new boolean[0x80];
    for (int value = 0; value < table.length; value++) {
      table[value] =
          (value >= 'a' && value <= 'z')
              || (value >= 'A' && value <= 'Z')
              || (value >= '0' && value <= '9')
              || "-._~".indexOf(value) >= 0;
    }
    return table;
  }

  /** Encodes a text like {@link #encode}, but leaves its slashes. */
  public static String encodePath(String text) {
    return encode(text).replace("%2F", "/");
  }

  /** Encodes the text as UTF-8 and escapes every byte that is not unreserved. */
  public static String encode(String text) {
    if (isAllUnreserved(text)) {
      return text;
    }
    byte[] bytes = text.getBytes(UTF_8);
    StringBuilder encoded = new StringBuilder(bytes.length + 16);
    for (byte value : bytes) {
      append(encoded, value);
    }
    return encoded.toString();
  }

  /**
   * The raw path as AWS encodes it: escapes in upper case, needless escapes removed, missing ones
   * added. Slashes stay slashes, and escaped slashes stay escaped. Nothing else is normalised.
   *
   * @throws S3Exception InvalidURI if an escape is broken
   */
  public static String canonicalPath(String raw) {
    if (isCanonical(raw, true)) {
      return raw;
    }
    StringBuilder canonical = new StringBuilder(raw.length() + 16);
    for (int i = 0; i < raw.length(); i++) {
      char character = raw.charAt(i);
      if (character == '/') {
        canonical.append('/');
      } else if (character == '%') {
        append(canonical, (byte) escapedByte(raw, i));
        i += 2;
      } else {
        append(canonical, (byte) character);
      }
    }
    return canonical.toString();
  }

  /**
   * The raw name or value of a query, as AWS encodes it.
   *
   * @param raw as sent
   * @param text the decoded form of {@code raw}
   */
  public static String canonicalQuery(String raw, String text) {
    return isCanonical(raw, false) ? raw : encode(text);
  }

  private static boolean isAllUnreserved(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!isUnreserved(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  /** Whether the text already has the form that AWS uses; most clients send that form. */
  private static boolean isCanonical(String raw, boolean isPath) {
    for (int i = 0; i < raw.length(); i++) {
      char character = raw.charAt(i);
      if (character == '%') {
        if (!isCanonicalEscape(raw, i)) {
          return false;
        }
        i += 2;
      } else if (!isUnreserved(character) && !(isPath && character == '/')) {
        return false;
      }
    }
    return true;
  }

  /** Whether the escape at {@code index} is complete, needed and in upper case. */
  private static boolean isCanonicalEscape(String raw, int index) {
    return index + 2 < raw.length()
        && isUpperHex(raw.charAt(index + 1))
        && isUpperHex(raw.charAt(index + 2))
        && !isUnreserved(HexFormat.fromHexDigits(raw, index + 1, index + 3));
  }

  private static boolean isUpperHex(char character) {
    return (character >= '0' && character <= '9') || (character >= 'A' && character <= 'F');
  }

  private static void append(StringBuilder encoded, byte value) {
    if (isUnreserved(value)) {
      encoded.append((char) value);
    } else {
      HEX.toHexDigits(encoded.append('%'), value);
    }
  }

  private static String decode(String raw, boolean plusIsSpace) {
    if (isLiteral(raw, plusIsSpace)) {
      return raw;
    }
    byte[] bytes = new byte[raw.length()];
    int count = 0;
    for (int i = 0; i < raw.length(); i++) {
      char character = raw.charAt(i);
      if (character == '%') {
        bytes[count++] = (byte) escapedByte(raw, i);
        i += 2;
      } else if (character > 0xFF) {
        throw invalid(raw, "has a character beyond one byte at " + i);
      } else {
        bytes[count++] = plusIsSpace && character == '+' ? (byte) ' ' : (byte) character;
      }
    }
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, count)).toString();
    } catch (CharacterCodingException _) {
      throw invalid(raw, "is not UTF-8");
    }
  }

  private static boolean isLiteral(String raw, boolean plusIsSpace) {
    for (int i = 0; i < raw.length(); i++) {
      char character = raw.charAt(i);
      if (character == '%' || character >= 0x80 || (plusIsSpace && character == '+')) {
        return false;
      }
    }
    return true;
  }

  /** The value of the escape at {@code index}. */
  private static int escapedByte(String raw, int index) {
    if (index + 2 >= raw.length()
        || !HexFormat.isHexDigit(raw.charAt(index + 1))
        || !HexFormat.isHexDigit(raw.charAt(index + 2))) {
      throw invalid(raw, "has a broken percent escape at " + index);
    }
    return HexFormat.fromHexDigits(raw, index + 1, index + 3);
  }

  private static S3Exception invalid(String raw, String what) {
    return S3Exception.of(
            S3ErrorCode.INVALID_URI, "Couldn't parse the specified URI: it " + what + ".")
        .with("URI", raw);
  }
}
