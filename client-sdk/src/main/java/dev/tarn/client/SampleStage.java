package dev.tarn.client;

import dev.tarn.client.ExtentReading.Placed;
import dev.tarn.client.internal.prefetch.Prefetch;
import dev.tarn.client.internal.stage.Item;
import dev.tarn.client.internal.stage.Stage;
import dev.tarn.shard.order.Positions;
import dev.tarn.shard.order.Positions.Span;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The samples of an epoch, or of what is left of it. Those that are shuffled or mixed are parsed a
 * block ahead, others in the thread that takes them, while the prefetch fills the budget behind it.
 */
final class SampleStage implements Stage<Sample> {
  private final Prefetch prefetch;
  private final SampleStream samples;
  private final Gathering gathering;
  private final boolean isNumbered;
  private final Iterator<Span> numbers;
  private final Queue<Placed> ready = new ArrayDeque<>();

  /** The number of the next sample, and the end of the span that it is in. */
  private long number;

  private long numberEnd;

  private boolean ended;
  private volatile boolean closed;

  /**
   * @param samples those that the prefetch fetches
   * @param gathering which reads them
   * @param numbers of the samples, if they have any
   */
  SampleStage(
      Prefetch prefetch, SampleStream samples, Gathering gathering, Optional<Positions> numbers) {
    this.prefetch = prefetch;
    this.samples = samples;
    this.gathering = gathering;
    this.isNumbered = numbers.isPresent();
    this.numbers = numbers.map(Positions::spans).orElse(List.of()).iterator();
  }

  @Override
  public @Nullable Item<Sample> next() {
    if (ready.isEmpty() && !ended) {
      gather();
    }
    Placed placed = ready.poll();
    if (placed == null) {
      return null;
    }
    List<Span> numbered = isNumbered ? List.of(takeNumber()) : List.of();
    Sample sample = placed.sample();
    return sample == null
        ? Item.mark("a sample that is skipped", numbered)
        : new Item<>(sample, SampleOrigin.of(sample), numbered, sample.held());
  }

  private Span takeNumber() {
    if (number == numberEnd) {
      Span following = numbers.next();
      number = following.from();
      numberEnd = following.to();
    }
    number++;
    return new Span(number - 1, number);
  }

  private void gather() {
    if (closed) {
      throw new IllegalStateException("the iterator is closed");
    }
    boolean done = false;
    try {
      gathering.gather(ready);
      done = true;
    } catch (InterruptedIOException e) {
      throw closed ? closedWhileReading(e) : interrupted(e);
    } catch (IOException e) {
      throw closed ? closedWhileReading(e) : samples.failure(e);
    } finally {
      ended = !done || ready.isEmpty();
    }
  }

  private static IllegalStateException closedWhileReading(IOException e) {
    return new IllegalStateException("the iterator was closed while it was read", e);
  }

  private static UncheckedIOException interrupted(InterruptedIOException e) {
    return new UncheckedIOException(
        "the thread was interrupted while it waited for samples: the iterator has ended, its"
            + " checkpoint says where",
        e);
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
