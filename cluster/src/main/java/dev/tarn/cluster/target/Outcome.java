package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import java.util.function.Function;

/**
 * How a call ended: its value or its failure. Every expected ending is an outcome; a stage that
 * completes exceptionally is a bug.
 *
 * @param <T> the value of a success
 */
public sealed interface Outcome<T> {
  /**
   * The call succeeded.
   *
   * @param value the result
   */
  record Success<T>(T value) implements Outcome<T> {
    public Success {
      requireNonNull(value, "value is null");
    }
  }

  /**
   * The call did nothing.
   *
   * @param failure why
   */
  record Failed<T>(Failure failure) implements Outcome<T> {
    public Failed {
      requireNonNull(failure, "failure is null");
    }
  }

  static <T> Outcome<T> success(T value) {
    return new Success<>(value);
  }

  static <T> Outcome<T> failed(Failure failure) {
    return new Failed<>(failure);
  }

  /** Maps the value of a success; keeps a failure. */
  default <R> Outcome<R> map(Function<? super T, ? extends R> mapping) {
    if (this instanceof Success<T> success) {
      return success(mapping.apply(success.value()));
    }
    return failed(((Failed<T>) this).failure());
  }

  /** Continues with the value of a success; keeps a failure. */
  default <R> Outcome<R> then(Function<? super T, Outcome<R>> next) {
    if (this instanceof Success<T> success) {
      return next.apply(success.value());
    }
    return failed(((Failed<T>) this).failure());
  }
}
