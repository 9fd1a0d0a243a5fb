package dev.tarn.client;

import dev.tarn.client.prefetch.Prefetch;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * One pass over a dataset, or what is left of it. Samples are parsed in the consumer's thread, a
 * block at a time (a block of one without block shuffle), while the prefetch fills the budget
 * behind it.
 */
final class EpochIterator implements SampleIterator {
  private final Prefetch prefetch;
  private final SampleStream samples;
  private final Gathering gathering;
  private final Optional<Delivery> delivery;
  private final Queue<Sample> ready = new ArrayDeque<>();
  private @Nullable Sample delivered;

  /** The number of the next sample, if they are counted. */
  private long number;

  private boolean ended;
  private volatile boolean closed;

  /**
   * Starts an epoch.
   *
   * @param samples those that the prefetch fetches
   * @param gathering which reads them
   * @param delivery what counts them, if they are of known numbers
   */
  EpochIterator(
      Prefetch prefetch, SampleStream samples, Gathering gathering, Optional<Delivery> delivery) {
    this.prefetch = prefetch;
    this.samples = samples;
    this.gathering = gathering;
    this.delivery = delivery;
  }

  @Override
  public boolean hasNext() {
    if (ready.isEmpty() && !ended) {
      gather();
    }
    return !ready.isEmpty();
  }

  @Override
  public Sample next() {
    letGo();
    if (!hasNext()) {
      throw new NoSuchElementException("the epoch has no more samples");
    }
    Sample sample = ready.remove();
    delivered = sample;
    if (delivery.isPresent()) {
      Delivery counted = delivery.orElseThrow();
      number = counted.next(number);
      counted.received(number);
      number++;
    }
    return sample;
  }

  @Override
  public Checkpoint checkpoint() {
    return delivery
        .orElseThrow(() ->
            new IllegalStateException(
                "no checkpoint: without a manifest the samples of a dataset have no numbers"))
        .checkpoint();
  }

  private void letGo() {
    Sample before = delivered;
    delivered = null;
    if (before != null) {
      before.release();
    }
  }

  private void gather() {
    if (closed) {
      throw new IllegalStateException("the iterator is closed");
    }
    boolean done = false;
    try {
      gathering.gather(ready);
      done = true;
    } catch (IOException e) {
      throw closed
          ? new IllegalStateException("the iterator was closed while it was read", e)
          : samples.failure(e);
    } finally {
      ended = !done || ready.isEmpty();
      if (ended) {
        close();
      }
    }
  }

  /** The bytes that it holds now. */
  long usedBytes() {
    return prefetch.usedBytes();
  }

  @Override
  public void close() {
    closed = true;
    prefetch.close();
  }
}
