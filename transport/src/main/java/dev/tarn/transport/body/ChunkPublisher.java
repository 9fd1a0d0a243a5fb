package dev.tarn.transport.body;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Publishes the bytes of a blocking source on a separate thread, one buffer per request. Closes the
 * source exactly once, however the stream ends.
 */
public final class ChunkPublisher implements Flow.Publisher<ByteBuffer> {
  private static final int CHUNK_BYTES = 256 << 10;

  private final ChunkSource source;
  private final Executor threads;
  private final AtomicBoolean taken = new AtomicBoolean();

  /**
   * Creates a publisher. The source is read on one of these threads, from the subscription until
   * its end.
   */
  public ChunkPublisher(ChunkSource source, Executor threads) {
    this.source = source;
    this.threads = threads;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    if (!taken.compareAndSet(false, true)) {
      throw new IllegalStateException("the body has a subscriber already, or was closed");
    }
    Reading reading = new Reading(subscriber);
    subscriber.onSubscribe(reading);
    threads.execute(reading::run);
  }

  /** Closes the source if nobody has subscribed. */
  public void close() {
    if (taken.compareAndSet(false, true)) {
      source.close();
    }
  }

  private final class Reading implements Flow.Subscription {
    private final Flow.Subscriber<? super ByteBuffer> subscriber;
    private final Semaphore demand = new Semaphore(0);
    private volatile boolean cancelled;

    Reading(Flow.Subscriber<? super ByteBuffer> subscriber) {
      this.subscriber = subscriber;
    }

    @Override
    public void request(long count) {
      demand.release((int) Math.min(count, 1 << 20));
    }

    @Override
    public void cancel() {
      cancelled = true;
      demand.release();
    }

    void run() {
      try (source) {
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
        while (!cancelled && source.read(chunk.clear())) {
          demand.acquireUninterruptibly();
          if (!cancelled) {
            subscriber.onNext(chunk.flip());
          }
        }
        if (!cancelled) {
          subscriber.onComplete();
        }
      } catch (IOException | RuntimeException e) {
        if (!cancelled) {
          subscriber.onError(e);
        }
      }
    }
  }
}
