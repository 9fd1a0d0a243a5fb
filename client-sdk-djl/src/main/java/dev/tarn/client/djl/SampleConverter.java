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
   * The arrays of a sample, made by this manager, which closes them when the batch is made. All
   * samples of a batch have arrays of the same shapes, unless a batchifier pads them.
   *
   * <p>They may not be made of {@link Sample#get} itself: of a buffer out of the heap some engines
   * make no copy, and the sample's memory holds other bytes when the batch is made. Take {@link
   * Sample#bytes}, {@link Sample#decode} or {@link NumpyArrays}.
   *
   * <p>Called by threads of the loader, of which {@link ShardBatches.Builder#threads} may allow
   * several at a time. A sample that it fails on ends the pass or is skipped, as the dataset's
   * {@link dev.tarn.client.ErrorPolicy} says.
   */
  Record convert(NDManager manager, Sample sample) throws Exception;
}
