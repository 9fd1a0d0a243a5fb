package dev.tarn.client.internal.stage;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.order.Positions.Span;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A value on its way to the consumer, or a mark in the place of a sample that was filtered out or
 * damaged.
 *
 * @param value null for a mark
 * @param origin what it was made of, for messages
 * @param numbers of the samples that are consumed with it, in the rank's epoch; empty if samples
 *     have no numbers
 * @param memory that holds the value
 */
public record Item<T>(@Nullable T value, Object origin, List<Span> numbers, RetainedMemory memory) {
  /** Checks the parts. */
  public Item {
    requireNonNull(origin, "origin is null");
    requireNonNull(memory, "memory is null");
    numbers = List.copyOf(numbers);
  }

  /** A mark in the place of samples with these numbers. */
  public static <T> Item<T> mark(Object origin, List<Span> numbers) {
    return new Item<>(null, origin, numbers, RetainedMemory.NOTHING);
  }

  /** The same item with another value, which needs no memory; releases this one's. */
  <R> Item<R> with(@Nullable R other) {
    memory.release();
    return new Item<>(other, origin, numbers, RetainedMemory.NOTHING);
  }
}
