package dev.tarn.gateway.auth;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * A buffer for text that is hashed or signed. Each thread has one, because the buffer, the digest
 * and the MAC are expensive to create.
 */
final class CanonicalText {
  private static final byte[] HEX = "0123456789abcdef".getBytes(US_ASCII);

  private static final ThreadLocal<CanonicalText> OF_THREAD =
      ThreadLocal.withInitial(CanonicalText::new);

  private final MessageDigest sha256;
  private final Mac hmacSha256;
  private @Nullable SecretKey keyOfHmac;
  private byte[] bytes = new byte[2048];
  private int length;

  private CanonicalText() {
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
      hmacSha256 = Mac.getInstance("HmacSHA256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("the JDK lacks an algorithm that it must have", e);
    }
  }

  /** The buffer of this thread, empty. */
  static CanonicalText ofThread() {
    return OF_THREAD.get().clear();
  }

  /** The SHA-256 digest of the text so far. */
  byte[] sha256() {
    sha256.update(bytes, 0, length);
    return sha256.digest();
  }

  /** The HMAC-SHA256 of the text so far. */
  byte[] hmac(SecretKey key) {
    if (!key.equals(keyOfHmac)) {
      use(key);
    }
    hmacSha256.update(bytes, 0, length);
    return hmacSha256.doFinal();
  }

  /**
   * Initializes the MAC. Successive requests often use the same key, so the MAC keeps the state
   * that it derived from the key.
   */
  private void use(SecretKey key) {
    keyOfHmac = null;
    try {
      hmacSha256.init(key);
    } catch (InvalidKeyException e) {
      throw new IllegalStateException("a signing key is not fit for HMAC", e);
    }
    keyOfHmac = key;
  }

  CanonicalText clear() {
    length = 0;
    return this;
  }

  CanonicalText add(char ascii) {
    reserve(1);
    bytes[length++] = (byte) ascii;
    return this;
  }

  CanonicalText add(String text) {
    return add(text.getBytes(UTF_8));
  }

  CanonicalText add(byte[] utf8) {
    reserve(utf8.length);
    System.arraycopy(utf8, 0, bytes, length, utf8.length);
    length += utf8.length;
    return this;
  }

  /** Adds text without leading and trailing spaces; each run of spaces inside becomes one space. */
  CanonicalText addTrimmed(String text) {
    if (!hasSpaces(text) || !needsTrimming(text)) {
      return add(text);
    }
    StringBuilder trimmed = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (!isSpace(character)) {
        trimmed.append(character);
      } else if (!trimmed.isEmpty() && trimmed.charAt(trimmed.length() - 1) != ' ') {
        trimmed.append(' ');
      }
    }
    return add(trimmed.toString().stripTrailing());
  }

  CanonicalText addHex(byte[] value) {
    reserve(2 * value.length);
    for (byte next : value) {
      bytes[length++] = HEX[next >> 4 & 0xF];
      bytes[length++] = HEX[next & 0xF];
    }
    return this;
  }

  private static boolean hasSpaces(String text) {
    return text.indexOf(' ') >= 0 || text.indexOf('\t') >= 0;
  }

  private static boolean needsTrimming(String text) {
    boolean afterSpace = true;
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      boolean space = isSpace(character);
      if (space && (afterSpace || character != ' ')) {
        return true;
      }
      afterSpace = space;
    }
    return afterSpace && !text.isEmpty();
  }

  private static boolean isSpace(char character) {
    return character == ' ' || character == '\t';
  }

  private void reserve(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }

  @Override
  public String toString() {
    return new String(bytes, 0, length, UTF_8);
  }
}
