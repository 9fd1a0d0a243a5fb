package dev.tarn.client.loader;

/**
 * A function failed on an epoch's sample. The message names the sample, and the cause is the
 * function's exception. It ends the iterator.
 */
public final class TransformException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Describes a failure.
   *
   * @param origin names the function's argument
   */
  public TransformException(Object origin, Exception cause) {
    super(origin + ": " + cause, cause);
  }
}
