package dev.tarn.gateway.http;

import java.io.IOException;

/** The client has sent a body whose chunks of HTTP cannot be decoded. */
public final class MalformedBodyException extends IOException {
  private static final long serialVersionUID = 1;

  MalformedBodyException(Throwable cause) {
    super("the chunks of the body are not valid HTTP/1.1", cause);
  }
}
