package dev.tarn.client.internal.stage;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.order.Positions.Span;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something on its way to the consumer: a value, or a mark where there would have been one, for a
 * sample that is filtered out or damaged.
 *
 * @param value null if it is a mark
 * @param origin what it was made of, in messages
 * @param numbers those of the samples that are consumed with it, of the rank's epoch; none if
 *     samples have no numbers
 * @param memory that holds the value
 */
public record Item<T>(@Nullable T value, Object origin, List<Span> numbers, RetainedMemory memory) {
  /** Checks the parts. */
  public Item {
    requireNonNull(origin, "origin is null");
    requireNonNull(memory, "memory is null");
    numbers = List.copyOf(numbers);
  }

  /** A mark in the place of samples of these numbers. */
  public static <T> Item<T> mark(Object origin, List<Span> numbers) {
    return new Item<>(null, origin, numbers, RetainedMemory.NOTHING);
  }

  /** The same with another value, which lies in memory of its own; it lets go of the other's. */
  <R> Item<R> with(@Nullable R other) {
    memory.release();
    return new Item<>(other, origin, numbers, RetainedMemory.NOTHING);
  }
}
