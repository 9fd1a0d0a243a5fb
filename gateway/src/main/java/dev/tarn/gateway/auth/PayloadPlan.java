package dev.tarn.gateway.auth;

import static java.util.Objects.requireNonNull;

/** How the body of a request is framed and verified. Only x-amz-content-sha256 decides this. */
public sealed interface PayloadPlan {
  /** The body is unframed, and its content is not verified. */
  record Unsigned() implements PayloadPlan {}

  /**
   * The body is unframed and has this SHA-256.
   *
   * @param sha256Hex in lower case
   */
  record Sha256(String sha256Hex) implements PayloadPlan {
    public Sha256 {
      requireNonNull(sha256Hex, "sha256Hex is null");
    }
  }

  /** The body is sent in chunks without signatures; trailers follow the last chunk. */
  record UnsignedChunks() implements PayloadPlan {}

  /**
   * The body is sent in chunks; each signature continues from the previous one.
   *
   * @param chain begins with the signature of the request
   * @param trailer whether signed headers follow the last chunk
   */
  record SignedChunks(SignatureChain chain, boolean trailer) implements PayloadPlan {
    public SignedChunks {
      requireNonNull(chain, "chain is null");
    }
  }
}
