package dev.tarn.shard.manifest;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A SHA-256 as a value.
 *
 * @param hex 64 hexadecimal digits in lower case
 */
public record Sha256(String hex) {
  private static final int LENGTH = 64;

  public Sha256 {
    if (hex.length() != LENGTH
        || !hex.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
      throw new IllegalArgumentException(
          "\"" + hex + "\" is not a SHA-256; expected 64 hexadecimal digits in lower case");
    }
  }

  /** Returns the value of a finished digest of 32 bytes. */
  public static Sha256 of(byte[] digest) {
    return new Sha256(HexFormat.of().formatHex(digest));
  }

  /** Returns the digest of a buffer's remaining bytes; the buffer's position moves to its limit. */
  public static Sha256 digest(ByteBuffer bytes) {
    MessageDigest digest = newDigest();
    digest.update(bytes);
    return of(digest.digest());
  }

  /** Returns an empty digest. */
  public static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Returns the 32 bytes. */
  public byte[] bytes() {
    return HexFormat.of().parseHex(hex);
  }

  @Override
  public String toString() {
    return hex;
  }
}
