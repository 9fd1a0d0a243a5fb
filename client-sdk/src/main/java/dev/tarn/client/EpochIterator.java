package dev.tarn.client;

import dev.tarn.client.internal.stage.Held;
import dev.tarn.client.internal.stage.Item;
import dev.tarn.client.internal.stage.Stage;
import dev.tarn.shard.order.Positions.Span;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Hands out what comes through the stages, and counts what was received. */
class EpochIterator<T> implements ResumableIterator<T> {
  private final Stage<T> stages;
  private final Optional<Delivery> delivery;
  private final DamageReport report;
  private @Nullable Item<T> ready;
  private Held delivered = Held.NOTHING;
  private boolean ended;
  private volatile boolean closed;

  /**
   * @param delivery what counts samples, if they have numbers
   * @param report of samples that are skipped
   */
  EpochIterator(Stage<T> stages, Optional<Delivery> delivery, DamageReport report) {
    this.stages = stages;
    this.delivery = delivery;
    this.report = report;
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
    delivered.release();
    delivered = Held.NOTHING;
    Item<T> item = hasNext() ? ready : null;
    ready = null;
    T value = item == null ? null : item.value();
    if (item == null || value == null) {
      throw new NoSuchElementException("there is no more in the epoch");
    }
    delivered = item.held();
    receive(item);
    return value;
  }

  /** The next item that has a value; null after the last. */
  private @Nullable Item<T> advance() {
    boolean found = false;
    try {
      Item<T> item = stages.next();
      while (item != null && item.value() == null) {
        receive(item);
        item = stages.next();
      }
      found = item != null;
      return item;
    } finally {
      if (!found) {
        ended = !closed;
        stages.close();
      }
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
                "no checkpoint: without a manifest or a cache for indexes the samples of a"
                    + " dataset have no numbers"))
        .checkpoint();
  }

  @Override
  public List<Damage> damages() {
    return report.damages();
  }

  @Override
  public void close() {
    closed = true;
    stages.close();
  }
}
