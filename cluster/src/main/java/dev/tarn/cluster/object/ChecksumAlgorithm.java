package dev.tarn.cluster.object;

import java.util.Locale;
import java.util.Optional;

/** The checksum algorithms of S3. */
public enum ChecksumAlgorithm {
  CRC32(4),
  CRC32C(4),
  CRC64NVME(8),
  SHA1(20),
  SHA256(32);

  private final int lengthBytes;

  ChecksumAlgorithm(int lengthBytes) {
    this.lengthBytes = lengthBytes;
  }

  /** The length of a value in bytes. */
  public int lengthBytes() {
    return lengthBytes;
  }

  /** The name of the header or trailer with the value in base64. */
  public String headerName() {
    return "x-amz-checksum-" + name().toLowerCase(Locale.ROOT);
  }

  /** The algorithm of this name, in any case; empty if there is none. */
  public static Optional<ChecksumAlgorithm> find(String name) {
    for (ChecksumAlgorithm algorithm : values()) {
      if (algorithm.name().equalsIgnoreCase(name)) {
        return Optional.of(algorithm);
      }
    }
    return Optional.empty();
  }
}
