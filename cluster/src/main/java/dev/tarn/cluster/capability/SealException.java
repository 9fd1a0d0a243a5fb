package dev.tarn.cluster.capability;

/** A sealed message was not sealed by a member of this cluster, for this, and now. */
public final class SealException extends Exception {
  private static final long serialVersionUID = 1;

  SealException(String message) {
    super(message);
  }

  SealException(String message, Throwable cause) {
    super(message, cause);
  }
}
