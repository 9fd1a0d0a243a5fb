package dev.tarn.cluster.wire;

/** Bytes that are not a message of this wire format; says what is wrong and where. */
public final class WireException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Says what is wrong and where. */
  public WireException(String message) {
    super(message);
  }

  /** Says what is wrong and where, and what found it. */
  public WireException(String message, Throwable cause) {
    super(message, cause);
  }
}
