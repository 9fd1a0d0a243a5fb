package dev.tarn.gateway.http;

import java.io.IOException;

/** The client sent a body with invalid HTTP chunks. */
public final class MalformedBodyException extends IOException {
  private static final long serialVersionUID = 1;

  MalformedBodyException(Throwable cause) {
    super("the chunks of the body are not valid HTTP/1.1", cause);
  }
}
