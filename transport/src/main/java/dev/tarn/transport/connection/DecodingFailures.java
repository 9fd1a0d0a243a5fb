package dev.tarn.transport.connection;

import io.netty.handler.codec.TooLongFrameException;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/** The reason for which a request's head could not be decoded. */
public final class DecodingFailures {
  private static final int REASON_LENGTH_MAX = 200;

  private DecodingFailures() {}

  /** A short description of the error in the head; empty if unknown. */
  public static String reason(HttpServerRequest request) {
    return reason(request.decoderResult().cause());
  }

  /** A short description of the error; empty if unknown. */
  public static String reason(@Nullable Throwable cause) {
    String message = cause == null ? null : cause.getMessage();
    return message == null
        ? ""
        : message.substring(0, Math.min(message.length(), REASON_LENGTH_MAX));
  }

  /** Whether the request line or the headers are longer than allowed. */
  public static boolean isTooLong(HttpServerRequest request) {
    return request.decoderResult().cause() instanceof TooLongFrameException;
  }
}
