package dev.tarn.client.internal.stage;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.loader.Transform;
import dev.tarn.client.loader.TransformException;

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
      return result(function, value);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransformException(origin, e);
    } catch (Exception e) {
      throw new TransformException(origin, e);
    }
  }

  /**
   * Does the work of a map on an item.
   *
   * @return a mark in its place, if its failure is skipped
   * @throws TransformException if the function threw an exception that is not
   */
  static <T, R> Item<R> map(
      Item<T> item, Transform<? super T, ? extends R> function, FailurePolicy policy) {
    return item.value() == null
        ? item.with(null)
        : apply(item, value -> item.with(result(function, value)), policy);
  }

  private static <T, R> R result(Transform<? super T, ? extends R> function, T value)
      throws Exception {
    return requireNonNull(function.apply(value), "the function returned null");
  }

  /**
   * Applies to an item's value what makes another item of it.
   *
   * @return a mark in its place, if its failure is skipped
   * @throws TransformException if the function threw an exception that is not
   */
  static <T, R> Item<R> apply(
      Item<T> item, Transform<? super T, Item<R>> function, FailurePolicy policy) {
    try {
      return apply(function, requireNonNull(item.value(), "a mark"), item.origin());
    } catch (TransformException e) {
      if (e.getCause() instanceof Exception cause
          && !(cause instanceof InterruptedException)
          && policy.isSkipped(item.origin(), cause)) {
        return item.with(null);
      }
      throw e;
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
