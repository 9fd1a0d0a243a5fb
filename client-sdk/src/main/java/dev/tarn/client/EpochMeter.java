package dev.tarn.client;

import dev.tarn.client.internal.stage.Closing;
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
 * <p>The consumer's calls divide the time: CONSUMER passes between the calls, FETCH during a call
 * while a thread waited for bytes, and DECODE for the rest of the call. So only the calls are
 * measured, not single samples, and the parts add up to the whole.
 */
final class EpochMeter implements EpochMetrics {
  /**
   * The state of the prefetch.
   *
   * @param waitedNanos how long its threads have waited for bytes so far
   * @param bytes in memory now
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

  /** When the consumer's call began. */
  private long entered;

  private boolean inside;

  private long waitedBefore;

  /**
   * Starts to measure and notifies the listeners.
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

  /**
   * Notifies all listeners. If one throws, the epoch ends, and those notified before learn of its
   * end.
   */
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

  /** A call of the consumer begins. */
  synchronized void enter() {
    inside = true;
    entered = clock.getAsLong();
    waitedBefore = queue.waitedNanos().getAsLong();
  }

  /** A call of the consumer ends. */
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

  /** Each counter has one writing thread, so that it needs no atomic addition. */
  private static void add(AtomicLong counter, long amount) {
    counter.lazySet(counter.get() + amount);
  }

  /** The epoch has ended; may be called repeatedly. */
  void end() {
    if (over.compareAndSet(false, true)) {
      endedAt = clock.getAsLong();
      ended = true;
      endListening(listeners);
    }
  }

  /** Notifies all of these listeners, even if one throws. */
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

  /** Without the current call, whose parts are known only at its end. */
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
