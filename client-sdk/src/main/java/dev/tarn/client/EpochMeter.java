package dev.tarn.client;

import dev.tarn.client.metrics.EpochListener;
import dev.tarn.client.metrics.EpochMetrics;
import dev.tarn.client.metrics.Stall;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Measures an epoch.
 *
 * <p>Time is cut at the consumer's calls: between them passes CONSUMER; during one FETCH, as far as
 * somebody waited for bytes meanwhile, and DECODE for the rest. So nothing is measured per sample
 * but the calls themselves, and the parts add up.
 */
final class EpochMeter implements EpochMetrics {
  /**
   * What is fetched ahead.
   *
   * @param waitedNanos how long anybody has waited for bytes so far
   * @param bytes held now
   * @param parts queued now
   */
  record Queue(LongSupplier waitedNanos, LongSupplier bytes, LongSupplier parts) {}

  private final long epoch;
  private final OptionalLong samplesExpected;
  private final Queue queue;
  private final List<EpochListener> listeners;
  private final LongSupplier clock;
  private final long begun;
  private final AtomicLong samples = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicBoolean over = new AtomicBoolean();

  private final AtomicLong fetchNanos = new AtomicLong();
  private final AtomicLong decodeNanos = new AtomicLong();
  private volatile long endedAt;
  private volatile boolean ended;

  /** When the consumer's call began, and how long anybody had waited for bytes then. */
  private long entered;

  private boolean inside;

  private long waitedBefore;

  /**
   * Begins to measure, and tells the listeners.
   *
   * @param clock in nanoseconds
   */
  EpochMeter(
      long epoch,
      OptionalLong samplesExpected,
      Queue queue,
      List<EpochListener> listeners,
      LongSupplier clock) {
    this.epoch = epoch;
    this.samplesExpected = samplesExpected;
    this.queue = queue;
    this.listeners = List.copyOf(listeners);
    this.clock = clock;
    this.begun = clock.getAsLong();
    beginListening();
  }

  /** Tells all; if one throws, there is no epoch, and those that heard of it hear of its end. */
  private void beginListening() {
    int told = 0;
    try {
      for (EpochListener listener : listeners) {
        listener.begun(this);
        told++;
      }
    } catch (Throwable failure) {
      endedAt = begun;
      ended = true;
      try {
        endListening(listeners.subList(0, told));
      } catch (RuntimeException | Error e) {
        failure.addSuppressed(e);
      }
      throw failure;
    }
  }

  /** The consumer asks for something. */
  synchronized void enter() {
    inside = true;
    entered = clock.getAsLong();
    waitedBefore = queue.waitedNanos().getAsLong();
  }

  /** The consumer has it. */
  synchronized void leave() {
    inside = false;
    long nanos = clock.getAsLong() - entered;
    long waited = Math.min(nanos, queue.waitedNanos().getAsLong() - waitedBefore);
    add(fetchNanos, waited);
    add(decodeNanos, nanos - waited);
  }

  /** A sample was read. */
  void read(long sampleBytes) {
    add(samples, 1);
    add(bytes, sampleBytes);
  }

  /** Each counter has one thread that writes it, and needs no bus lock. */
  private static void add(AtomicLong counter, long amount) {
    counter.lazySet(counter.get() + amount);
  }

  /** The epoch has ended; called once or more. */
  void end() {
    if (over.compareAndSet(false, true)) {
      endedAt = clock.getAsLong();
      ended = true;
      endListening(listeners);
    }
  }

  /** Tells all of these, also behind one that throws. */
  private void endListening(List<EpochListener> told) {
    Closing telling = new Closing();
    for (int i = told.size() - 1; i >= 0; i--) {
      EpochListener listener = told.get(i);
      telling.add(() -> listener.ended(this));
    }
    telling.close();
  }

  @Override
  public long epoch() {
    return epoch;
  }

  @Override
  public OptionalLong samplesExpected() {
    return samplesExpected;
  }

  @Override
  public long samples() {
    return samples.get();
  }

  @Override
  public long bytes() {
    return bytes.get();
  }

  @Override
  public synchronized Duration stalled(Stall stall) {
    return switch (stall) {
      case FETCH -> Duration.ofNanos(fetchNanos.get());
      case DECODE -> Duration.ofNanos(decodeNanos.get());
      case CONSUMER ->
          Duration.ofNanos(Math.max(0, outsideNanos() - fetchNanos.get() - decodeNanos.get()));
    };
  }

  @Override
  public Duration elapsed() {
    return Duration.ofNanos(elapsedNanos());
  }

  /** Without the call under way: who is waited for in it is known when it ends. */
  private long outsideNanos() {
    return inside && !ended ? entered - begun : elapsedNanos();
  }

  private long elapsedNanos() {
    return (ended ? endedAt : clock.getAsLong()) - begun;
  }

  @Override
  public long queuedBytes() {
    return queue.bytes().getAsLong();
  }

  @Override
  public int queuedParts() {
    return (int) queue.parts().getAsLong();
  }

  @Override
  public boolean isEnded() {
    return ended;
  }
}
