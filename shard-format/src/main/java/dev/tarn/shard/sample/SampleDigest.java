package dev.tarn.shard.sample;

import dev.tarn.shard.name.MemberNames;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What a sample consists of, as one SHA-256, whatever its key and wherever it is packed: over its
 * members by extension, in the order of the extensions' bytes, each as the length of its extension
 * (4 bytes, little-endian), its extension, the length of its data (8 bytes) and its data.
 *
 * <p>Members must be added in that order. Reusable after {@link #finish}; not for use by several
 * threads at once.
 */
public final class SampleDigest {
  private final MessageDigest sha256 = sha256();
  private ByteBuffer header = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);

  /** Begins a member; its data must follow. */
  public void begin(String extension, long size) {
    begin(MemberNames.encode(extension), size);
  }

  /**
   * Begins a member; its data must follow.
   *
   * @param extension the bytes of it in lower case
   */
  public void begin(byte[] extension, long size) {
    int length = Integer.BYTES + extension.length + Long.BYTES;
    if (header.capacity() < length) {
      header = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }
    header.clear().putInt(extension.length).put(extension).putLong(size);
    sha256.update(header.array(), 0, length);
  }

  /** Adds some of the current member's data: what is left in the buffer. */
  public void update(ByteBuffer data) {
    sha256.update(data);
  }

  /** The digest of the members that were added. */
  public byte[] finish() {
    return sha256.digest();
  }

  /** Puts the digest of the members that were added, 32 bytes, into an array. */
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
