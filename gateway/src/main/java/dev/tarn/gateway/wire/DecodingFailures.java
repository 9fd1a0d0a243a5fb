package dev.tarn.gateway.wire;

import io.netty.handler.codec.TooLongFrameException;
import io.vertx.core.http.HttpServerRequest;

/** Why a request's head could not be decoded. */
public final class DecodingFailures {
  private DecodingFailures() {}

  /** Whether the request line or the headers are longer than allowed. */
  public static boolean isTooLong(HttpServerRequest request) {
    return request.decoderResult().cause() instanceof TooLongFrameException;
  }
}
