package dev.tarn.transport.body;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Publishes the bytes of a blocking source on a separate thread, one buffer per request. The bytes
 * of a buffer are valid until the subscriber's {@code onNext} returns. Closes the source exactly
 * once, however the stream ends.
 */
public final class ChunkPublisher implements Flow.Publisher<ByteBuffer> {
  /** The largest buffer that is published. */
  static final int CHUNK_BYTES_MAX = 256 << 10;

  private static final Duration IDLE_AFTER = Duration.ofSeconds(5);

  private final Duration idleAfter;
  private final ChunkSource source;
  private final int chunkBytes;
  private final DirectBuffers buffers;
  private final Executor threads;
  private final AtomicBoolean taken = new AtomicBoolean();

  /**
   * Creates a publisher.
   *
   * @param length the number of bytes of the source
   * @param buffers one of them is used, from the subscription until the end
   * @param threads one of them reads the source, from the subscription until the end
   */
  public ChunkPublisher(ChunkSource source, long length, DirectBuffers buffers, Executor threads) {
    this(source, length, buffers, threads, IDLE_AFTER);
  }

  /** A publisher whose source is idle if its reader takes nothing for so long. */
  ChunkPublisher(
      ChunkSource source,
      long length,
      DirectBuffers buffers,
      Executor threads,
      Duration idleAfter) {
    this.idleAfter = idleAfter;
    this.source = source;
    this.chunkBytes = (int) Math.max(1, Math.min(length, CHUNK_BYTES_MAX));
    this.buffers = buffers;
    this.threads = threads;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    if (!taken.compareAndSet(false, true)) {
      throw new IllegalStateException("Body has a subscriber already, or is closed");
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

    private void awaitDemand() throws InterruptedIOException {
      try {
        if (!demand.tryAcquire(idleAfter.toMillis(), TimeUnit.MILLISECONDS)) {
          source.idle();
          demand.acquire();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("Read of a body was interrupted");
      }
    }

    void run() {
      try (source) {
        publish();
        if (!cancelled) {
          subscriber.onComplete();
        }
      } catch (IOException | RuntimeException | Error e) {
        if (!cancelled) {
          subscriber.onError(e);
        }
      }
    }

    private void publish() throws IOException {
      ByteBuffer chunk = buffers.take(chunkBytes);
      try {
        while (!cancelled && source.read(chunk.clear().limit(chunkBytes))) {
          awaitDemand();
          if (!cancelled) {
            subscriber.onNext(chunk.flip());
          }
        }
      } finally {
        buffers.giveBack(chunk);
      }
    }
  }
}
