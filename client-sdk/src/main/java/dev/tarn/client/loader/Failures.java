package dev.tarn.client.loader;

/** What failures of a user's functions become. */
final class Failures {
  private Failures() {}

  /**
   * Applies a function.
   *
   * @throws TransformException if it threw an exception, around that
   */
  static <T, R> R apply(Transform<? super T, ? extends R> function, T value, Object origin) {
    try {
      return function.apply(value);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransformException(origin, e);
    } catch (Exception e) {
      throw new TransformException(origin, e);
    }
  }

  /** The same failure for the thread that it is told to. */
  static RuntimeException rethrown(Throwable failure) {
    if (failure instanceof Error e) {
      throw e;
    }
    return failure instanceof RuntimeException e ? e : new IllegalStateException(failure);
  }
}
