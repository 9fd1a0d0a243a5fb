package dev.tarn.gateway.policy;

import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;

/** Errors for documents that are not valid policies. */
final class Malformed {
  private Malformed() {}

  static S3Exception of(String what) {
    return S3Exception.of(S3ErrorCode.MALFORMED_POLICY, what + ".");
  }
}
