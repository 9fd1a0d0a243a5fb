package dev.tarn.client.djl;

import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Record;
import dev.tarn.client.Sample;

/**
 * Converts a sample to arrays: the model's input, and its expected output.
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
   * Makes the arrays of a sample by a manager, which closes them when the batch is made. All
   * samples of a batch must have arrays of the same shapes, unless a batchifier pads them.
   *
   * <p>Do not make arrays of the buffer that {@link Sample#get} returns: some engines do not copy
   * direct buffers, and the memory holds other bytes when the batch is made. Use {@link
   * Sample#bytes}, {@link Sample#decode} or {@link NumpyArrays}.
   *
   * <p>Threads of the loader call it; {@link ShardBatches.Builder#threads} may allow several at a
   * time. A sample on which it fails ends the pass or is skipped, as set by the dataset's {@link
   * dev.tarn.client.ErrorPolicy}.
   */
  Record convert(NDManager manager, Sample sample) throws Exception;
}
