package dev.tarn.cluster.codec;

import java.io.IOException;

/**
 * Bytes are not a message of the expected kind; the message of the exception has the position and
 * the cause.
 */
public final class MalformedMessageException extends IOException {
  private static final long serialVersionUID = 1;

  public MalformedMessageException(String message) {
    super(message);
  }

  MalformedMessageException(String message, Throwable cause) {
    super(message, cause);
  }
}
