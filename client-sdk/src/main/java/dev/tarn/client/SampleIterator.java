package dev.tarn.client;

import java.io.UncheckedIOException;
import java.util.NoSuchElementException;
import java.util.stream.Stream;

/** Iterates over the samples of one epoch, each once. */
public interface SampleIterator extends ResumableIterator<Sample> {
  /**
   * Returns the next sample. The sample before it becomes invalid; see {@link Sample}.
   *
   * @throws DatasetException if the dataset cannot be read further
   * @throws IllegalStateException as for {@link #hasNext}
   * @throws UncheckedIOException as for {@link #hasNext}
   * @throws NoSuchElementException after the last sample
   */
  @Override
  Sample next();

  /** The rest as a sequential stream of copies, which stay valid. Its close closes the iterator. */
  @Override
  default Stream<Sample> stream() {
    return ResumableIterator.super.stream().map(Sample::copy);
  }
}
