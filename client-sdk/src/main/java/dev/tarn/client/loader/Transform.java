package dev.tarn.client.loader;

/** Makes something else of a value: of a sample, or of what was made of samples before. */
@FunctionalInterface
public interface Transform<T, R> {
  /**
   * Called by any number of threads at a time.
   *
   * @param value if it is a sample, its views are valid until this returns
   * @return what holds nothing of a sample but copies; not null
   * @throws Exception what is told to the consumer as a {@link TransformException} that names the
   *     sample, and ends the epoch, unless the sample is skipped: see {@link
   *     dev.tarn.client.ErrorPolicy}
   */
  R apply(T value) throws Exception;
}
