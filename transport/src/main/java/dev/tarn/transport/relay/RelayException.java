package dev.tarn.transport.relay;

import java.io.IOException;

/** A target did not do what targets do; the message says what it did instead. */
final class RelayException extends IOException {
  private static final long serialVersionUID = 1;

  RelayException(String message) {
    super(message);
  }
}
