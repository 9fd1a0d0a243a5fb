package dev.tarn.cluster.target.memory;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectPart;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/** ETags and S3 checksums of bytes that are all there. */
final class ByteDigests {
  private static final long CRC64NVME_REVERSED = 0x9A6C9329AC4BC9B5L;
  private static final long[] CRC64NVME_TABLE = crc64NvmeTable();

  private ByteDigests() {}

  static String etag(byte[] bytes) {
    return HexFormat.of().formatHex(digest("MD5", bytes));
  }

  static String etagOfParts(List<ObjectPart> parts) {
    ByteArrayOutputStream digests = new ByteArrayOutputStream();
    parts.forEach(part -> digests.writeBytes(HexFormat.of().parseHex(part.etag())));
    return etag(digests.toByteArray()) + "-" + parts.size();
  }

  static List<ObjectChecksum> checksums(Collection<ChecksumAlgorithm> algorithms, byte[] bytes) {
    List<ObjectChecksum> checksums = new ArrayList<>();
    algorithms.stream().sorted().forEach(algorithm -> checksums.add(ofBytes(algorithm, bytes)));
    return checksums;
  }

  static ObjectChecksum ofBytes(ChecksumAlgorithm algorithm, byte[] bytes) {
    return new ObjectChecksum(
        algorithm, ChecksumType.FULL_OBJECT, base64(compute(algorithm, bytes)));
  }

  /** The checksum over the parts' checksums, which all of them have. */
  static ObjectChecksum composite(ChecksumAlgorithm algorithm, List<ObjectPart> parts) {
    ByteArrayOutputStream values = new ByteArrayOutputStream();
    for (ObjectPart part : parts) {
      part.checksums().stream()
          .filter(checksum -> checksum.algorithm() == algorithm)
          .forEach(checksum -> values.writeBytes(Base64.getDecoder().decode(checksum.value())));
    }
    return new ObjectChecksum(
        algorithm,
        ChecksumType.COMPOSITE,
        base64(compute(algorithm, values.toByteArray())) + "-" + parts.size());
  }

  private static String base64(byte[] value) {
    return new String(Base64.getEncoder().encode(value), ISO_8859_1);
  }

  private static byte[] compute(ChecksumAlgorithm algorithm, byte[] bytes) {
    return switch (algorithm) {
      case CRC32 -> crc(new CRC32(), bytes);
      case CRC32C -> crc(new CRC32C(), bytes);
      case CRC64NVME -> ByteBuffer.allocate(Long.BYTES).putLong(crc64Nvme(bytes)).array();
      case SHA1 -> digest("SHA-1", bytes);
      case SHA256 -> digest("SHA-256", bytes);
    };
  }

  private static byte[] crc(Checksum checksum, byte[] bytes) {
    checksum.update(bytes);
    return ByteBuffer.allocate(Integer.BYTES).putInt((int) checksum.getValue()).array();
  }

  private static byte[] digest(String algorithm, byte[] bytes) {
    try {
      return MessageDigest.getInstance(algorithm).digest(bytes);
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("this JDK has no " + algorithm, missing);
    }
  }

  private static long crc64Nvme(byte[] bytes) {
    long crc = -1;
    for (byte next : bytes) {
      crc = CRC64NVME_TABLE[(int) (crc ^ next) & 0xFF] ^ (crc >>> 8);
    }
    return ~crc;
  }

  private static long[] crc64NvmeTable() {
    long[] table = new long[256];
    for (int i = 0; i < table.length; i++) {
      long entry = i;
      for (int bit = 0; bit < 8; bit++) {
        entry = (entry & 1) == 0 ? entry >>> 1 : (entry >>> 1) ^ CRC64NVME_REVERSED;
      }
      table[i] = entry;
    }
    return table;
  }
}
