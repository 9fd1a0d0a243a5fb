package dev.tarn.client.loader;

/** A function that an epoch's samples go through has failed; the message names the sample. */
public final class TransformException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TransformException(Object origin, Exception cause) {
    super(origin + ": " + cause, cause);
  }
}
