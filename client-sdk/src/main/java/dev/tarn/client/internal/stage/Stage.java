package dev.tarn.client.internal.stage;

import org.jspecify.annotations.Nullable;

/** A step between the samples that are read and the consumer. */
public interface Stage<T> extends AutoCloseable {
  /**
   * Takes the next item; waits for it. For one thread at a time.
   *
   * @return null after the last
   */
  @Nullable Item<T> next();

  /**
   * Ends this stage and those before it; called by any thread, and repeatedly. A waiting call
   * fails.
   */
  @Override
  void close();
}
