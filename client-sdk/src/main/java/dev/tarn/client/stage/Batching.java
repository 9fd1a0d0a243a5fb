package dev.tarn.client.stage;

import dev.tarn.client.loader.LastBatch;
import dev.tarn.client.loader.Transform;
import dev.tarn.client.order.Positions.Stretch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes one value of several that follow each other. */
public final class Batching<T, R> implements Stage<R> {
  private final Stage<T> before;
  private final int size;
  private final Transform<? super List<T>, ? extends R> collate;
  private final LastBatch last;
  private boolean ended;

  /**
   * @param size how many values a batch has
   * @param collate makes a batch of them; their memory is given back then
   */
  public Batching(
      Stage<T> before, int size, LastBatch last, Transform<? super List<T>, ? extends R> collate) {
    this.before = before;
    this.size = size;
    this.collate = collate;
    this.last = last;
  }

  @Override
  public @Nullable Item<R> next() {
    if (ended) {
      return null;
    }
    List<Item<T>> items = new ArrayList<>(size);
    List<T> values = new ArrayList<>(size);
    List<Stretch> marked = new ArrayList<>();
    while (values.size() < size) {
      Item<T> item = before.next();
      if (item == null) {
        ended = true;
        break;
      }
      T value = item.value();
      if (value == null) {
        marked.addAll(item.numbers());
      } else {
        items.add(item);
        values.add(value);
      }
    }
    if (values.isEmpty() || (values.size() < size && last == LastBatch.DROP)) {
      items.forEach(item -> item.held().release());
      return marked.isEmpty() ? null : Item.mark("the end of the epoch", marked);
    }
    for (int i = 0; values.size() < size && last == LastBatch.PAD; i++) {
      values.add(values.get(i));
    }
    return collate(items, List.copyOf(values), marked);
  }

  private Item<R> collate(List<Item<T>> items, List<T> values, List<Stretch> marked) {
    Object origin = "a batch from " + items.get(0).origin();
    R batch = Failures.apply(collate, values, origin);
    List<Stretch> numbers = new ArrayList<>(marked);
    for (Item<T> item : items) {
      item.held().release();
      numbers.addAll(item.numbers());
    }
    return new Item<>(batch, origin, numbers, Held.NOTHING);
  }

  @Override
  public void close() {
    before.close();
  }
}
