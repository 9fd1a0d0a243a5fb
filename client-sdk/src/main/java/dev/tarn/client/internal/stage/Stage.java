package dev.tarn.client.internal.stage;

import org.jspecify.annotations.Nullable;

/** A step on the way from the samples that are read to the consumer. */
public interface Stage<T> extends AutoCloseable {
  /**
   * The next item; waits for it. For one thread at a time.
   *
   * @return null after the last
   */
  @Nullable Item<T> next();

  /** Ends it, and what is before it; by any thread, more than once. A call that waits fails. */
  @Override
  void close();
}
