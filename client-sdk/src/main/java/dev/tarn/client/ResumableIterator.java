package dev.tarn.client;

import dev.tarn.client.loader.TransformException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Iterates over what a {@link Loader} makes of the samples of one epoch, or of its rest; gives
 * checkpoints.
 *
 * <p>For one thread at a time. {@link #close} may be called by any thread, and repeatedly. It ends
 * all background work and releases connections, threads and buffers. An iterator that has reached
 * its end or has thrown has closed itself.
 */
@SuppressWarnings(
    "IterableAndIterator") // One pass is all there is; try and for need the same name.
public interface ResumableIterator<T> extends Iterator<T>, Iterable<T>, AutoCloseable {
  /**
   * This iterator, so that a for-each loop takes its values. A second loop goes on with the rest.
   */
  @Override
  default Iterator<T> iterator() {
    return this;
  }

  /**
   * Whether there is another value; waits for it.
   *
   * @throws DatasetException if the dataset cannot be read further
   * @throws TransformException if a function of the {@link Loader} failed on a sample that is not
   *     skipped
   * @throws IllegalStateException if the iterator was closed before its end, or the samples of a
   *     batch exceed the memory budget
   * @throws UncheckedIOException if the thread is interrupted while it waits, which ends the
   *     iterator. The thread's interrupt status stays set, and the cause is an {@link
   *     java.io.InterruptedIOException}.
   */
  @Override
  boolean hasNext();

  /**
   * Returns the next value.
   *
   * @throws DatasetException if the dataset cannot be read further
   * @throws TransformException as for {@link #hasNext}
   * @throws IllegalStateException as for {@link #hasNext}
   * @throws UncheckedIOException as for {@link #hasNext}
   * @throws NoSuchElementException after the last value
   */
  @Override
  T next();

  /**
   * The progress so far: the samples of the values that {@link #next} has returned, and those that
   * were filtered out before them. Samples that were read ahead do not count.
   *
   * @throws IllegalStateException if the samples have no numbers; a manifest or a {@link
   *     DatasetBuilder#cache} gives them numbers
   */
  Checkpoint checkpoint();

  /**
   * The samples skipped so far because they could not be read; see {@link DatasetBuilder#errors}.
   * Some of them may lie ahead of those that {@link #next} has returned.
   */
  List<Damage> damages();

  /**
   * The rest as a sequential stream, whose close closes the iterator. Samples of a {@link Loader}
   * are valid until the stream takes the next one; see {@link Sample}.
   */
  default Stream<T> stream() {
    Spliterator<T> left =
        Spliterators.spliteratorUnknownSize(this, Spliterator.ORDERED | Spliterator.NONNULL);
    return StreamSupport.stream(left, false).onClose(this::close);
  }

  @Override
  void close();
}
