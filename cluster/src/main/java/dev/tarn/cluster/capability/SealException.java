package dev.tarn.cluster.capability;

/**
 * A sealed message is not from a member of this cluster, is for another purpose, or its time is too
 * far from now.
 */
public final class SealException extends Exception {
  private static final long serialVersionUID = 1;

  SealException(String message) {
    super(message);
  }

  SealException(String message, Throwable cause) {
    super(message, cause);
  }
}
