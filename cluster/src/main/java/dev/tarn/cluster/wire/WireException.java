package dev.tarn.cluster.wire;

/** Bytes are not a message of this wire format; the message says what is wrong and where. */
public final class WireException extends Exception {
  private static final long serialVersionUID = 1L;

  public WireException(String message) {
    super(message);
  }

  public WireException(String message, Throwable cause) {
    super(message, cause);
  }
}
