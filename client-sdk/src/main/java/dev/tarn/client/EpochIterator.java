package dev.tarn.client;

import dev.tarn.client.internal.stage.Item;
import dev.tarn.client.internal.stage.RetainedMemory;
import dev.tarn.client.internal.stage.Stage;
import dev.tarn.shard.order.Positions.Span;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Gives the consumer what the last stage makes, and counts what the consumer received. */
class EpochIterator<T> implements ResumableIterator<T> {
  private final Stage<T> stages;
  private final Optional<Delivery> delivery;
  private final DamageReport report;
  private final @Nullable EpochMeter meter;
  private @Nullable Item<T> ready;

  /** The memory of the value that the consumer has; {@code next} or {@code close} takes it back. */
  private final AtomicReference<RetainedMemory> delivered =
      new AtomicReference<>(RetainedMemory.NOTHING);

  private boolean ended;
  private volatile boolean closed;

  /**
   * Makes an iterator.
   *
   * @param stages the last stage
   * @param delivery counts the samples, if they have numbers
   * @param report collects what is skipped
   * @param meter measures the epoch, if there is a listener
   */
  EpochIterator(
      Stage<T> stages,
      Optional<Delivery> delivery,
      DamageReport report,
      @Nullable EpochMeter meter) {
    this.stages = stages;
    this.delivery = delivery;
    this.report = report;
    this.meter = meter;
  }

  @Override
  public boolean hasNext() {
    if (closed && !ended) {
      throw new IllegalStateException("the iterator is closed");
    }
    if (ready == null && !ended) {
      ready = advance();
    }
    return ready != null;
  }

  @Override
  public T next() {
    delivered.getAndSet(RetainedMemory.NOTHING).release();
    Item<T> item = hasNext() ? ready : null;
    ready = null;
    T value = item == null ? null : item.value();
    if (item == null || value == null) {
      throw new NoSuchElementException("there is no more in the epoch");
    }
    delivered.set(item.memory());
    if (closed) {
      // Another thread closed the iterator meanwhile and saw the memory of the value before.
      delivered.getAndSet(RetainedMemory.NOTHING).release();
    }
    receive(item);
    return value;
  }

  /** The next item that has a value; null after the last. */
  private @Nullable Item<T> advance() {
    Item<T> item;
    try {
      item = nextItem();
      while (item != null && item.value() == null) {
        receive(item);
        item = nextItem();
      }
    } catch (RuntimeException | Error e) {
      try {
        end();
      } catch (RuntimeException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
    if (item == null) {
      end();
    }
    return item;
  }

  private void end() {
    ended = !closed;
    closeStages();
  }

  private @Nullable Item<T> nextItem() {
    if (meter == null) {
      return stages.next();
    }
    meter.enter();
    try {
      return stages.next();
    } finally {
      meter.leave();
    }
  }

  private void receive(Item<T> item) {
    if (delivery.isPresent()) {
      Delivery counted = delivery.orElseThrow();
      List<Span> numbers = item.numbers();
      for (int i = 0; i < numbers.size(); i++) {
        counted.received(numbers.get(i));
      }
    }
  }

  @Override
  public Checkpoint checkpoint() {
    return delivery
        .orElseThrow(() ->
            new IllegalStateException(
                "no checkpoint can be made: a dataset without a manifest has no sample numbers;"
                    + " name its manifest, or a cache for indexes"))
        .checkpoint();
  }

  @Override
  public List<Damage> damages() {
    return report.damages();
  }

  @Override
  public void close() {
    closed = true;
    delivered.getAndSet(RetainedMemory.NOTHING).release();
    closeStages();
  }

  private void closeStages() {
    try {
      stages.close();
    } finally {
      if (meter != null) {
        meter.end();
      }
    }
  }
}
