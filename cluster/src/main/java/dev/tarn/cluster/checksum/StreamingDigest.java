package dev.tarn.cluster.checksum;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * Computes one checksum over bytes that arrive in chunks. One thread at a time; for one
 * computation.
 */
public interface StreamingDigest {
  /** Adds the bytes from position to limit; leaves the buffer unchanged. */
  void update(ByteBuffer bytes);

  /** The value over all bytes added, most significant byte first; ends the digest. */
  byte[] finish();

  /** Begins a checksum. */
  static StreamingDigest of(ChecksumAlgorithm algorithm) {
    return switch (algorithm) {
      case CRC32 -> of(new CRC32(), algorithm.lengthBytes());
      case CRC32C -> of(new CRC32C(), algorithm.lengthBytes());
      case CRC64NVME -> of(Crc64NvmeProvider.fastest().start(), algorithm.lengthBytes());
      case SHA1 -> of("SHA-1");
      case SHA256 -> of("SHA-256");
    };
  }

  /** Begins an MD5, which S3 uses for ETags and for Content-MD5. */
  static StreamingDigest md5() {
    return of("MD5");
  }

  private static StreamingDigest of(Checksum checksum, int lengthBytes) {
    return new StreamingDigest() {
      @Override
      public void update(ByteBuffer bytes) {
        checksum.update(bytes.duplicate());
      }

      @Override
      public byte[] finish() {
        return BigEndian.bytes(checksum.getValue(), lengthBytes);
      }
    };
  }

  private static StreamingDigest of(String messageDigest) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance(messageDigest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("the JDK lacks " + messageDigest, e);
    }
    return new StreamingDigest() {
      @Override
      public void update(ByteBuffer bytes) {
        digest.update(bytes.duplicate());
      }

      @Override
      public byte[] finish() {
        return digest.digest();
      }
    };
  }
}
