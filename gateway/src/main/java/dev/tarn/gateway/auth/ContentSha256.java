package dev.tarn.gateway.auth;

import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The values of the x-amz-content-sha256 header. */
final class ContentSha256 {
  static final String HEADER = "x-amz-content-sha256";
  static final String UNSIGNED = "UNSIGNED-PAYLOAD";

  private static final String SIGNED_CHUNKS = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";
  private static final String SIGNED_CHUNKS_TRAILER = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER";
  private static final String UNSIGNED_CHUNKS_TRAILER = "STREAMING-UNSIGNED-PAYLOAD-TRAILER";
  private static final int HEX_LENGTH = 64;

  private ContentSha256() {}

  /** Whether the signatures of the body's chunks continue from the request's signature. */
  static boolean chainsSignatures(String value) {
    return value.equals(SIGNED_CHUNKS) || value.equals(SIGNED_CHUNKS_TRAILER);
  }

  /**
   * Decides how a body is framed and verified.
   *
   * @param value of the header; null if it is missing
   * @param chain begins with the request's signature; null without a version 4 signature
   * @throws S3Exception InvalidArgument if S3 does not define the value, NotImplemented if S3
   *     defines it but Tarn does not support it, InvalidRequest if it needs a chain and there is
   *     none
   */
  static PayloadPlan plan(@Nullable String value, @Nullable SignatureChain chain) {
    if (value == null || value.equals(UNSIGNED)) {
      return new PayloadPlan.Unsigned();
    }
    if (value.equals(UNSIGNED_CHUNKS_TRAILER)) {
      return new PayloadPlan.UnsignedChunks();
    }
    if (chainsSignatures(value)) {
      if (chain == null) {
        throw S3Exception.of(
            S3ErrorCode.INVALID_REQUEST, HEADER + " " + value + " needs a signature of version 4.");
      }
      return new PayloadPlan.SignedChunks(chain, value.equals(SIGNED_CHUNKS_TRAILER));
    }
    if (isSha256(value)) {
      return new PayloadPlan.Sha256(value.toLowerCase(Locale.ROOT));
    }
    if (value.startsWith("STREAMING-")) {
      throw S3Exception.of(
          S3ErrorCode.NOT_IMPLEMENTED, HEADER + " " + value + " is not implemented.");
    }
    throw S3Exception.of(
            S3ErrorCode.INVALID_ARGUMENT,
            HEADER
                + " must be UNSIGNED-PAYLOAD, STREAMING-UNSIGNED-PAYLOAD-TRAILER,"
                + " STREAMING-AWS4-HMAC-SHA256-PAYLOAD, STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"
                + " or a valid sha256 value.")
        .with("ArgumentName", HEADER)
        .with("ArgumentValue", value);
  }

  private static boolean isSha256(String value) {
    if (value.length() != HEX_LENGTH) {
      return false;
    }
    for (int i = 0; i < HEX_LENGTH; i++) {
      if (!HexFormat.isHexDigit(value.charAt(i))) {
        return false;
      }
    }
    return true;
  }
}
