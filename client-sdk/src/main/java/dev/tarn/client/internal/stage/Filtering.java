package dev.tarn.client.internal.stage;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Replaces values that a predicate rejects by marks.
 *
 * <p>Accepted samples share memory with rejected ones, their neighbours in a shard. So if more
 * bytes were rejected than accepted, accepted samples are copied: a batch of a few samples out of
 * many holds little more than these.
 */
public final class Filtering<T> implements Stage<T> {
  private final Stage<T> before;
  private final StageSettings settings;
  private final Predicate<? super T> wanted;

  /** How many more bytes were rejected than copied since. */
  private long unwantedBytes;

  /**
   * Makes the stage.
   *
   * @param wanted called by one thread at a time
   */
  public Filtering(Stage<T> before, StageSettings settings, Predicate<? super T> wanted) {
    this.before = before;
    this.settings = settings;
    this.wanted = wanted;
  }

  @Override
  public @Nullable Item<T> next() {
    Item<T> item = before.next();
    if (item == null || item.value() == null) {
      return item;
    }
    long bytes = item.memory().bytes();
    Item<T> result =
        Failures.apply(
            item, value -> wanted.test(value) ? item : item.with(null), settings.failures());
    if (result.value() == null) {
      unwantedBytes += bytes;
    } else if (unwantedBytes > 0) {
      unwantedBytes -= Math.min(unwantedBytes, bytes);
      item.memory().compact();
    }
    return result;
  }

  @Override
  public void close() {
    before.close();
  }
}
