package dev.tarn.client.internal.stage;

import dev.tarn.client.loader.LastBatch;
import dev.tarn.client.loader.Transform;
import dev.tarn.shard.order.Positions.Span;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collates consecutive values into one. */
public final class Batching<T, R> implements Stage<R> {
  private final Stage<T> before;
  private final int size;
  private final LastBatch last;
  private final StageSettings settings;
  private final Transform<? super List<T>, ? extends R> collate;
  private boolean ended;

  /**
   * Makes the stage.
   *
   * @param size number of values in a batch
   * @param collate makes a batch of values, whose memory is released afterwards
   */
  public Batching(
      Stage<T> before,
      int size,
      LastBatch last,
      StageSettings settings,
      Transform<? super List<T>, ? extends R> collate) {
    this.before = before;
    this.size = size;
    this.last = last;
    this.settings = settings;
    this.collate = collate;
  }

  @Override
  public @Nullable Item<R> next() {
    if (ended) {
      return null;
    }
    List<Item<T>> items = new ArrayList<>();
    List<T> values = new ArrayList<>();
    List<Span> numbers = new ArrayList<>();
    long heldBytes = 0;
    while (values.size() < size) {
      Item<T> item = before.next();
      if (item == null) {
        ended = true;
        break;
      }
      T value = item.value();
      if (value == null) {
        item.numbers().forEach(number -> add(number, numbers));
      } else {
        items.add(item);
        values.add(value);
        heldBytes += item.memory().bytes();
        requireRoom(items, heldBytes);
      }
    }
    if (values.isEmpty() || (values.size() < size && last == LastBatch.DROP)) {
      items.forEach(item -> item.memory().release());
      return numbers.isEmpty() ? null : Item.mark("the end of the epoch", numbers);
    }
    for (int i = 0; values.size() < size && last == LastBatch.PAD; i++) {
      values.add(values.get(i));
    }
    return collate(items, List.copyOf(values), numbers);
  }

  /** The samples of a batch are in memory together until it is made. */
  private void requireRoom(List<Item<T>> items, long heldBytes) {
    if (heldBytes > settings.batchBytesMax()) {
      throw new IllegalStateException(
          ("a batch of %d that begins with %s: its first %d samples take %d bytes, more than the"
               + " memory budget of %d; set smaller batches or a larger budget, or map samples to"
               + " smaller values before batching")
              .formatted(
                  size, items.get(0).origin(), items.size(), heldBytes, settings.batchBytesMax()));
    }
  }

  private Item<R> collate(List<Item<T>> items, List<T> values, List<Span> numbers) {
    Object origin = "a batch that begins with " + items.get(0).origin();
    R batch = Failures.apply(collate, values, origin);
    for (Item<T> item : items) {
      item.memory().release();
      item.numbers().forEach(number -> add(number, numbers));
    }
    return new Item<>(batch, origin, numbers, RetainedMemory.NOTHING);
  }

  /** Adds numbers, and joins them with the last span if they follow it. */
  private static void add(Span added, List<Span> numbers) {
    int end = numbers.size() - 1;
    if (end >= 0 && numbers.get(end).to() == added.from()) {
      numbers.set(end, new Span(numbers.get(end).from(), added.to()));
    } else {
      numbers.add(added);
    }
  }

  @Override
  public void close() {
    before.close();
  }
}
