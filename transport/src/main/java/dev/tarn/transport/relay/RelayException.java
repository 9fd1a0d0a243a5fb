package dev.tarn.transport.relay;

import java.io.IOException;

/**
 * A target violated the protocol. The message says what the target did, as the end of a sentence.
 */
final class RelayException extends IOException {
  private static final long serialVersionUID = 1;

  RelayException(String message) {
    super(message);
  }
}
