package dev.tarn.shard.sample;

import dev.tarn.shard.name.MemberNames;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Computes a sample's digest: one SHA-256 of its content, independent of its key and its place.
 *
 * <p>Its input is the sample's members, in the byte order of their extensions. Each member gives
 * the length of its extension (4 bytes, little-endian), its extension, the length of its data (8
 * bytes) and its data.
 *
 * <p>Members must be added in that order. Reusable after {@link #finish}. Not thread-safe.
 */
public final class SampleDigest {
  private final MessageDigest sha256 = sha256();
  private ByteBuffer header = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);

  /** Begins a member; its data of {@code size} bytes must follow. */
  public void begin(String extension, long size) {
    begin(MemberNames.encode(extension), size);
  }

  /**
   * Begins a member; its data of {@code size} bytes must follow.
   *
   * @param extension its bytes in lower case
   */
  public void begin(byte[] extension, long size) {
    int length = Integer.BYTES + extension.length + Long.BYTES;
    if (header.capacity() < length) {
      header = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }
    header.clear().putInt(extension.length).put(extension).putLong(size);
    sha256.update(header.array(), 0, length);
  }

  /** Adds the buffer's remaining bytes to the current member's data. */
  public void update(ByteBuffer data) {
    sha256.update(data);
  }

  /** Returns the digest of the added members. */
  public byte[] finish() {
    return sha256.digest();
  }

  /** Writes the digest of the added members, 32 bytes, to an array. */
  public void finish(byte[] target, int offset) {
    try {
      sha256.digest(target, offset, sha256.getDigestLength());
    } catch (DigestException e) {
      throw new IllegalArgumentException("no room for a SHA-256 at " + offset, e);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
