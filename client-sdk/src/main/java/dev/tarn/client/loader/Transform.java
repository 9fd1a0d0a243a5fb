package dev.tarn.client.loader;

/** Makes another value of a sample, or of the value of an earlier stage. */
@FunctionalInterface
public interface Transform<T, R> {
  /**
   * Applies the function; several threads may call it at once.
   *
   * @param value if it is a sample, its views are valid until this method returns
   * @return a value that shares no memory with the sample; not null
   * @throws Exception to end the epoch with a {@link TransformException} that names the sample,
   *     unless the sample is skipped; see {@link dev.tarn.client.ErrorPolicy}
   */
  R apply(T value) throws Exception;
}
