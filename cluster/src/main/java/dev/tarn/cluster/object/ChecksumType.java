package dev.tarn.cluster.object;

/** Whether a multipart object's checksum covers its bytes or the checksums of its parts. */
public enum ChecksumType {
  COMPOSITE,
  FULL_OBJECT;

  /** The type that S3 uses if the client names only an algorithm. */
  public static ChecksumType defaultOf(ChecksumAlgorithm algorithm) {
    return algorithm == ChecksumAlgorithm.CRC64NVME ? FULL_OBJECT : COMPOSITE;
  }
}
