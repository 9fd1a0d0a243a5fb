package dev.tarn.client;

import java.io.UncheckedIOException;
import java.util.NoSuchElementException;

/** The samples of one epoch, each once. */
public interface SampleIterator extends ResumableIterator<Sample> {
  /**
   * The next sample. Ends the validity of the views that the one before gave out, see {@link
   * Sample#get}.
   *
   * @throws DatasetException if the dataset cannot be read on
   * @throws IllegalStateException as {@link #hasNext} does
   * @throws UncheckedIOException as {@link #hasNext} does
   * @throws NoSuchElementException after the last
   */
  @Override
  Sample next();
}
