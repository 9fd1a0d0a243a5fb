package dev.tarn.cluster.object;

/** Whether a multipart object's checksum covers its bytes or the checksums of its parts. */
public enum ChecksumType {
  COMPOSITE,
  FULL_OBJECT
}
