package dev.tarn.client.stage;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Puts marks in the place of values that are not wanted. */
public final class Filtering<T> implements Stage<T> {
  private final Stage<T> before;
  private final Predicate<? super T> wanted;

  /**
   * @param wanted called by one thread at a time
   */
  public Filtering(Stage<T> before, Predicate<? super T> wanted) {
    this.before = before;
    this.wanted = wanted;
  }

  @Override
  public @Nullable Item<T> next() {
    Item<T> item = before.next();
    if (item == null) {
      return null;
    }
    T value = item.value();
    return value == null || wanted.test(value) ? item : item.with(null);
  }

  @Override
  public void close() {
    before.close();
  }
}
