package dev.tarn.cluster.wire;

/** Bytes that are not a message of this wire format; says what is wrong and where. */
public final class WireException extends Exception {
  private static final long serialVersionUID = 1L;

  WireException(String message) {
    super(message);
  }

  WireException(String message, Throwable cause) {
    super(message, cause);
  }
}
