package dev.tarn.client;

import dev.tarn.client.decode.Decoders;
import dev.tarn.client.internal.prefetch.Prefetch;
import dev.tarn.client.internal.read.ReadSample;
import dev.tarn.client.internal.read.SampleBlocks;
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
 * The first stage: the samples of an epoch, or of its rest. Shuffled or mixed samples are parsed a
 * block ahead, others in the thread that takes them, while the prefetch fills the budget.
 */
final class SampleStage implements Stage<Sample> {
  private final Prefetch prefetch;
  private final SampleStream samples;
  private final SampleBlocks blocks;
  private final boolean isNumbered;
  private final Iterator<Span> numbers;
  private final Decoders decoders;
  private final @Nullable EpochMeter meter;
  private final Queue<ReadSample> ready = new ArrayDeque<>();

  /** The number of the next sample, and the end of the span of numbers that it is in. */
  private long number;

  private long numberEnd;

  private boolean ended;
  private volatile boolean closed;

  /**
   * Makes the stage.
   *
   * @param samples that the prefetch fetches
   * @param blocks of these samples
   * @param numbers of the samples, if they have any
   * @param meter counts the samples, if the epoch is measured
   */
  SampleStage(
      Prefetch prefetch,
      SampleStream samples,
      SampleBlocks blocks,
      Optional<Positions> numbers,
      Decoders decoders,
      @Nullable EpochMeter meter) {
    this.prefetch = prefetch;
    this.samples = samples;
    this.blocks = blocks;
    this.isNumbered = numbers.isPresent();
    this.numbers = numbers.map(Positions::spans).orElse(List.of()).iterator();
    this.decoders = decoders;
    this.meter = meter;
  }

  @Override
  public @Nullable Item<Sample> next() {
    if (ready.isEmpty() && !ended) {
      readBlock();
    }
    ReadSample read = ready.poll();
    if (read == null) {
      return null;
    }
    List<Span> numbered = isNumbered ? List.of(takeNumber()) : List.of();
    if (read.isSkipped()) {
      return Item.mark("a sample that is skipped", numbered);
    }
    if (meter != null) {
      meter.read(read.size());
    }
    return new Item<>(new Sample(read, decoders), SampleOrigin.of(read), numbered, read.memory());
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

  private void readBlock() {
    if (closed) {
      throw new IllegalStateException("the iterator is closed");
    }
    boolean done = false;
    try {
      blocks.readNext(ready);
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
        "the thread was interrupted while it waited for samples; the iterator has ended, and its"
            + " checkpoint can be resumed",
        e);
  }

  /** How many bytes of the budget are used now. */
  long usedBytes() {
    return prefetch.usedBytes();
  }

  @Override
  public void close() {
    closed = true;
    prefetch.close();
  }
}
