package dev.tarn.client;

import java.util.NoSuchElementException;

/** The samples of one epoch, each once. */
public interface SampleIterator extends ResumableIterator<Sample> {
  /**
   * The next sample. Ends the validity of the views that the one before gave out, see {@link
   * Sample#get}.
   *
   * @throws DatasetException if the dataset cannot be read on
   * @throws NoSuchElementException after the last
   */
  @Override
  Sample next();
}
