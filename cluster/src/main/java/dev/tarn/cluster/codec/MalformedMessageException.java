package dev.tarn.cluster.codec;

import java.io.IOException;

/** Bytes that are not a message of the expected kind; the message names the place and the cause. */
public final class MalformedMessageException extends IOException {
  private static final long serialVersionUID = 1;

  /** Names the cause and the place. */
  public MalformedMessageException(String message) {
    super(message);
  }

  MalformedMessageException(String message, Throwable cause) {
    super(message, cause);
  }
}
