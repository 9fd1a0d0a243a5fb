package dev.tarn.client.loader;

/**
 * A function that an epoch's samples go through has failed; the message names the sample, the cause
 * is what the function threw. It ends the iterator.
 */
public final class TransformException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Describes a failure.
   *
   * @param origin what the function was given
   */
  public TransformException(Object origin, Exception cause) {
    super(origin + ": " + cause, cause);
  }
}
