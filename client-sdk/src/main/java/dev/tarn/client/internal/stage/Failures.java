package dev.tarn.client.internal.stage;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.loader.Transform;
import dev.tarn.client.loader.TransformException;

/** Applies a user's functions and translates their failures. */
final class Failures {
  private Failures() {}

  /**
   * Applies a function.
   *
   * @throws TransformException around an exception of the function
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
   * Applies the function of a map to an item.
   *
   * @return a mark in its place, if its failure is skipped
   * @throws TransformException around an exception of the function that is not skipped
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
   * Applies a function that makes another item of an item's value.
   *
   * @return a mark in its place, if its failure is skipped
   * @throws TransformException around an exception of the function that is not skipped
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

  /** The same failure, for the thread that receives it. */
  static RuntimeException rethrown(Throwable failure) {
    if (failure instanceof Error e) {
      throw e;
    }
    return failure instanceof RuntimeException e ? e : new IllegalStateException(failure);
  }
}
