package dev.tarn.client;

import java.io.UncheckedIOException;
import java.util.NoSuchElementException;

/** Iterates over the samples of one epoch, each once. */
public interface SampleIterator extends ResumableIterator<Sample> {
  /**
   * Returns the next sample. The views of the sample before it become invalid; see {@link
   * Sample#get}.
   *
   * @throws DatasetException if the dataset cannot be read further
   * @throws IllegalStateException as for {@link #hasNext}
   * @throws UncheckedIOException as for {@link #hasNext}
   * @throws NoSuchElementException after the last sample
   */
  @Override
  Sample next();
}
