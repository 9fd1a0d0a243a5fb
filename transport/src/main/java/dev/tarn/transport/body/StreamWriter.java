package dev.tarn.transport.body;

import dev.tarn.transport.connection.Connections;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Writes the buffers of a publisher to a response. The writer requests one buffer at a time, and
 * none while the socket's queue is full. The bytes in the full queues of all writers are counted.
 * If the head is not written yet, it goes out with the first buffer. Buffers in pooled memory are
 * passed on. Other buffers are copied, because they are valid only while they are published.
 */
public final class StreamWriter implements Flow.Subscriber<Buffer> {
  /** Bytes in full queues. Beyond them, sources should read less at a time. */
  private static final long CROWDED_BYTES = 16 << 20;

  private static final AtomicLong QUEUED = new AtomicLong();

  private final HttpServerRequest request;
  private final Context context;
  private final long length;
  private final Promise<Void> written = Promise.promise();
  private Flow.@Nullable Subscription subscription;
  private long handedOver;
  private long queued;
  private boolean done;

  /**
   * Creates a writer.
   *
   * @param length how many bytes the response's head promises
   */
  public StreamWriter(HttpServerRequest request, Context context, long length) {
    this.request = request;
    this.context = context;
    this.length = length;
  }

  /**
   * Starts to write.
   *
   * @return succeeds when the last buffer is in the socket's queue
   */
  public Future<Void> write(Flow.Publisher<ByteBuffer> bytes) {
    if (bytes instanceof PooledBytes pooled) {
      pooled.subscribeOwning(this);
    } else {
      bytes.subscribe(new Copying(this));
    }
    return written.future();
  }

  /** Copies buffers that are valid only while they are published. */
  private record Copying(StreamWriter writer) implements Flow.Subscriber<ByteBuffer> {
    @Override
    public void onSubscribe(Flow.Subscription given) {
      writer.onSubscribe(given);
    }

    @Override
    public void onNext(ByteBuffer bytes) {
      writer.onNext(WireBuffers.pooledCopy(bytes));
    }

    @Override
    public void onError(Throwable cause) {
      writer.onError(cause);
    }

    @Override
    public void onComplete() {
      writer.onComplete();
    }
  }

  /** Whether so many bytes wait for slow clients that one client's bytes should be few. */
  public static boolean isCrowded() {
    return QUEUED.get() > CROWDED_BYTES;
  }

  private void countQueued(long bytes) {
    if (bytes != queued) {
      QUEUED.addAndGet(bytes - queued);
      queued = bytes;
    }
  }

  /** The number of bytes that the socket has taken. Call this on the event loop. */
  public long taken() {
    return Math.max(0, handedOver - Connections.pendingBytes(request.connection()));
  }

  /** Stops writing. Call this on the event loop. */
  public void cancel() {
    done = true;
    countQueued(0);
    Flow.Subscription current = subscription;
    if (current != null) {
      current.cancel();
    }
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    EventLoops.run(
        context,
        () -> {
          subscription = given;
          if (done) {
            given.cancel();
          } else {
            given.request(1);
          }
        });
  }

  @Override
  public void onNext(Buffer chunk) {
    EventLoops.run(context, () -> write(chunk));
  }

  private void write(Buffer chunk) {
    if (done) {
      WireBuffers.release(chunk);
      return;
    }
    handedOver += chunk.length();
    if (handedOver > length) {
      WireBuffers.release(chunk);
      fail(new IOException("Body is longer than the " + length + " bytes announced"));
      return;
    }
    request.response().write(chunk);
    if (request.response().writeQueueFull()) {
      countQueued(Connections.pendingBytes(request.connection()));
      request.response().drainHandler(ignored -> askForMore());
    } else {
      askForMore();
    }
  }

  private void askForMore() {
    countQueued(0);
    Flow.Subscription current = subscription;
    if (!done && current != null) {
      request.response().drainHandler(null);
      current.request(1);
    }
  }

  @Override
  public void onError(Throwable cause) {
    EventLoops.run(context, () -> fail(cause));
  }

  @Override
  public void onComplete() {
    EventLoops.run(
        context,
        () -> {
          if (handedOver < length) {
            fail(new IOException("Body ended after " + handedOver + " of " + length + " bytes"));
          } else if (!done) {
            done = true;
            countQueued(0);
            written.complete();
          }
        });
  }

  private void fail(Throwable cause) {
    if (!done) {
      cancel();
      written.fail(cause);
    }
  }
}
