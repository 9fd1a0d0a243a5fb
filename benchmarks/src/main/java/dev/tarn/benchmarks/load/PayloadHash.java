package dev.tarn.benchmarks.load;

/** Whether a request's signature covers a hash of its body. */
public enum PayloadHash {
  /** The hash is the SHA-256 of the body. */
  SIGNED,
  /** The hash is the text UNSIGNED-PAYLOAD. */
  UNSIGNED
}
