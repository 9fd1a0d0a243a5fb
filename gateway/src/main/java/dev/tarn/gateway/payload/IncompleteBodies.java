package dev.tarn.gateway.payload;

import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;

/** Errors for bodies that differ from the length or framing that their headers promised. */
final class IncompleteBodies {
  private IncompleteBodies() {}

  static S3Exception ofLength(long promised, long received) {
    return S3Exception.of(
        S3ErrorCode.INCOMPLETE_BODY,
        "The request's headers promise " + promised + " bytes, the body has " + received + ".");
  }

  static S3Exception withoutFinalChunk(long received) {
    return S3Exception.of(
        S3ErrorCode.INCOMPLETE_BODY,
        "The body ends after "
            + received
            + " decoded bytes, before its final chunk and its trailers.");
  }
}
