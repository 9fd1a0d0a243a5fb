package dev.tarn.client.djl;

import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Record;
import dev.tarn.client.Sample;

/**
 * Makes arrays of a sample: those that a model takes, and those that it should answer.
 *
 * <pre>{@code
 * SampleConverter converter =
 *     (manager, sample) -> new Record(
 *         new NDList(NumpyArrays.create(manager, sample.decode("npy", NpyArray.class))),
 *         new NDList(manager.create(sample.decode("cls", float.class))));
 * }</pre>
 */
@FunctionalInterface
public interface SampleConverter {
  /**
   * The arrays of a sample, made by this manager, which closes them with the batch. All samples of
   * a batch have arrays of the same shapes.
   */
  Record convert(NDManager manager, Sample sample);
}
