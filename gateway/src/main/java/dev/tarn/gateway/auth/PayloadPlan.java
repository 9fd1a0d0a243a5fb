package dev.tarn.gateway.auth;

import static java.util.Objects.requireNonNull;

/** How the body of a request is framed and verified, by its x-amz-content-sha256 alone. */
public sealed interface PayloadPlan {
  /** The body as it is, of any content. */
  record Unsigned() implements PayloadPlan {}

  /**
   * The body as it is, of this content.
   *
   * @param sha256Hex in lower case
   */
  record Sha256(String sha256Hex) implements PayloadPlan {
    public Sha256 {
      requireNonNull(sha256Hex, "sha256Hex is null");
    }
  }

  /** The body in chunks without signatures, headers behind the last. */
  record UnsignedChunks() implements PayloadPlan {}

  /**
   * The body in chunks that sign each other.
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
