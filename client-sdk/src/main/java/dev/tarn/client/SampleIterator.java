package dev.tarn.client;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The samples of one epoch, each once.
 *
 * <p>For one thread at a time. {@link #close} may be called from any thread and more than once; it
 * ends the background reads and gives all connections, threads and buffers back. An iterator that
 * has found no further sample, or has thrown, has ended its threads and connections already.
 */
public interface SampleIterator extends Iterator<Sample>, AutoCloseable {
  /**
   * Whether there is a further sample; waits for it.
   *
   * @throws DatasetException if the dataset cannot be read on
   */
  @Override
  boolean hasNext();

  /**
   * The next sample. Ends the validity of the views that the one before gave out, see {@link
   * Sample#get}.
   *
   * @throws DatasetException if the dataset cannot be read on
   * @throws NoSuchElementException after the last
   */
  @Override
  Sample next();

  /**
   * How far it has come: what {@link #next} has returned, and nothing of what was read ahead.
   *
   * @throws IllegalStateException if the dataset has no manifest, which numbers its samples
   */
  Checkpoint checkpoint();

  @Override
  void close();
}
