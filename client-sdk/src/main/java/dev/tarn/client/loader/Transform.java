package dev.tarn.client.loader;

/** Makes something else of a value. */
@FunctionalInterface
public interface Transform<T, R> {
  /**
   * Called by one of several threads at a time.
   *
   * @throws Exception what ends the epoch; the consumer is told which sample it was
   */
  R apply(T value) throws Exception;
}
