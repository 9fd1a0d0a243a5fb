package dev.tarn.cluster.object;

/** Whether a multipart object's checksum covers its bytes or the checksums of its parts. */
public enum ChecksumType {
  COMPOSITE,
  FULL_OBJECT;

  /** What S3 takes where the client names an algorithm alone. */
  public static ChecksumType defaultOf(ChecksumAlgorithm algorithm) {
    return algorithm == ChecksumAlgorithm.CRC64NVME ? FULL_OBJECT : COMPOSITE;
  }
}
