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
 * What is made of the samples of one epoch, or of what is left of it; it can say how far it has
 * come, and be gone on with.
 *
 * <p>For one thread at a time. {@link #close} may be called from any thread and more than once; it
 * ends what works in the background and gives all connections, threads and buffers back. An
 * iterator that has found nothing further, or has thrown, has done so already.
 */
public interface ResumableIterator<T> extends Iterator<T>, AutoCloseable {
  /**
   * Whether there is more; waits for it.
   *
   * @throws DatasetException if the dataset cannot be read on
   * @throws TransformException if a function of the {@link Loader} failed on a sample, and it is
   *     not skipped
   * @throws IllegalStateException if it was closed before it came to its end, or the samples of a
   *     batch exceed the memory budget
   * @throws UncheckedIOException if the thread is interrupted while it waits, which ends the
   *     iterator; the thread stays interrupted, and the cause is an {@link
   *     java.io.InterruptedIOException}
   */
  @Override
  boolean hasNext();

  /**
   * The next one.
   *
   * @throws DatasetException if the dataset cannot be read on
   * @throws TransformException as {@link #hasNext} does
   * @throws IllegalStateException as {@link #hasNext} does
   * @throws UncheckedIOException as {@link #hasNext} does
   * @throws NoSuchElementException after the last
   */
  @Override
  T next();

  /**
   * How far it has come: the samples that went into what {@link #next} has returned, or were left
   * out before it, and nothing of what was read ahead.
   *
   * @throws IllegalStateException if the samples have no numbers, which a manifest or a {@link
   *     DatasetBuilder#cache} gives them
   */
  Checkpoint checkpoint();

  /**
   * What was skipped so far, since it could not be read; see {@link DatasetBuilder#errors}. Some of
   * it may have been met ahead of what {@link #next} has returned.
   */
  List<Damage> damages();

  /**
   * What is left as a sequential stream; closing that closes the iterator. It takes one value at a
   * time: of samples collect what was made of them, not samples.
   */
  default Stream<T> stream() {
    Spliterator<T> left =
        Spliterators.spliteratorUnknownSize(this, Spliterator.ORDERED | Spliterator.NONNULL);
    return StreamSupport.stream(left, false).onClose(this::close);
  }

  @Override
  void close();
}
