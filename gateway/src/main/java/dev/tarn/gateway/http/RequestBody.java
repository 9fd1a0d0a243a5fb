package dev.tarn.gateway.http;

import dev.tarn.transport.body.EventLoops;
import dev.tarn.transport.body.WireBuffers;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request, as it arrives from the socket. The socket is read only as fast as the one
 * subscriber requests. At most one further chunk waits here, so that the end is seen without a
 * request for it; before a subscriber comes, the first 16 KiB wait here, too. The subscriber owns a
 * chunk's memory until the subscriber gives it back or cancels. The memory of a chunk that is never
 * given back is not reused. All state belongs to the connection's event loop; calls from other
 * threads are moved to that event loop.
 */
public final class RequestBody implements Flow.Publisher<ByteBuffer> {
  /** A sender that has sent so many bytes is not slow. */
  private static final int BEGUN_BYTES = 16 << 10;

  /** The capacity of a buffer that collects small chunks, as a multiple of their bytes. */
  private static final int COLLECTED_GROWTH = 4;

  private final HttpServerRequest request;
  private final Context context;
  private final boolean continueExpected;
  private boolean continued;
  private long received;
  private long demand;
  private boolean ended;
  private boolean draining;
  private long drainedAt;
  private @Nullable Throwable failure;
  private @Nullable Buffer held;
  private boolean collecting;
  private boolean heldIsCollected;
  private @Nullable Runnable begun;
  private @Nullable Buffer lent;
  private Flow.@Nullable Subscriber<? super ByteBuffer> subscriber;
  private @Nullable Runnable afterEnd;

  RequestBody(HttpServerRequest request, Context context, boolean continueExpected) {
    this.request = request;
    this.context = context;
    this.continueExpected = continueExpected;
    request.pause();
    request.handler(this::receive);
    request.endHandler(ignored -> end());
    request.exceptionHandler(this::fail);
  }

  /**
   * The number of bytes received so far. The chunk framing of HTTP is excluded, that of S3 is
   * included.
   */
  long received() {
    return received;
  }

  /** Whether the body waits for bytes that the client has not sent. */
  boolean awaitsClient() {
    return !ended && failure == null && (draining || demand > 0 || collecting);
  }

  /** Whether the client still waits for the 100 response. Such a client may never send its body. */
  boolean awaitsContinue() {
    return continueExpected && !continued && received == 0 && !ended;
  }

  /** The number of bytes that wait here or are with the subscriber. */
  long heldBytes() {
    Buffer waiting = held;
    Buffer inUse = lent;
    return (waiting == null ? 0L : waiting.length()) + (inUse == null ? 0L : inUse.length());
  }

  /**
   * Whether the body has ended, or {@link #BEGUN_BYTES} of it have arrived. Otherwise the bytes are
   * collected here, and the step runs when that is so; it never runs if the client disconnects
   * before. Call this on the event loop, before the body has a subscriber.
   */
  public boolean hasBegun(Runnable later) {
    if (ended || failure != null || draining || received >= BEGUN_BYTES) {
      return true;
    }
    allowToSend();
    collecting = true;
    request.fetch(1);
    if (collecting) {
      begun = later;
    }
    return !collecting;
  }

  private void allowToSend() {
    if (continueExpected && !continued) {
      continued = true;
      request.response().writeContinue();
    }
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> receiver) {
    onLoop(() -> {
      if (subscriber != null || draining) {
        receiver.onSubscribe(new Refused());
        receiver.onError(new IllegalStateException("a request body has one reader only"));
        return;
      }
      subscriber = receiver;
      allowToSend();
      boolean collected = held != null; // The delivery of these bytes fetches the next ones.
      receiver.onSubscribe(new Demand());
      tellEnd();
      if (!ended && failure == null && !collected) {
        request.fetch(1);
      }
    });
  }

  /** Gives back the last delivered chunk. Call this on the event loop. */
  public void giveBack() {
    Buffer chunk = lent;
    lent = null;
    if (chunk != null) {
      WireBuffers.giveBack(chunk);
    }
  }

  /** Whether the whole body has arrived. */
  boolean ended() {
    return ended;
  }

  /**
   * Discards the rest of the body, up to a maximum of bytes, then runs a step. The step runs
   * immediately if the body has already ended or failed.
   */
  void drain(long bytesMax, Runnable then) {
    subscriber = null;
    collecting = false;
    begun = null;
    dropHeld();
    if (ended || failure != null) {
      then.run();
      return;
    }
    draining = true;
    drainedAt = received + bytesMax;
    afterEnd = then;
    request.fetch(Long.MAX_VALUE);
  }

  private void receive(Buffer chunk) {
    received += chunk.length();
    if (draining) {
      WireBuffers.giveBack(chunk);
      if (received > drainedAt) {
        request.pause();
        tellDrained();
      }
      return;
    }
    if (collecting) {
      collect(chunk);
    } else if (demand > 0) {
      deliver(chunk);
    } else {
      held = chunk;
    }
  }

  /** Holds a chunk with the chunks before it. */
  private void collect(Buffer chunk) {
    Buffer before = held;
    if (before == null) {
      held = chunk;
    } else {
      Buffer all = before;
      if (!heldIsCollected) {
        int capacity = COLLECTED_GROWTH * (before.length() + chunk.length());
        all = Buffer.buffer(Math.min(capacity, BEGUN_BYTES)).appendBuffer(before);
        heldIsCollected = true;
        WireBuffers.giveBack(before);
      }
      held = all.appendBuffer(chunk);
      WireBuffers.giveBack(chunk);
    }
    if (received < BEGUN_BYTES) {
      request.fetch(1);
    } else {
      begin();
    }
  }

  /** Ends the collecting. */
  private void begin() {
    collecting = false;
    Runnable step = begun;
    begun = null;
    if (step != null) {
      step.run();
    }
  }

  private void deliver(Buffer chunk) {
    Flow.Subscriber<? super ByteBuffer> receiver = subscriber;
    if (receiver == null) {
      return;
    }
    demand--;
    lent = chunk;
    receiver.onNext(WireBuffers.view(chunk));
    if (subscriber != null && !ended) {
      request.fetch(1);
    }
  }

  /** Fails the body because its chunks are invalid. Returns whether the body was still open. */
  boolean breakOff(MalformedBodyException cause) {
    boolean open = !ended && failure == null;
    fail(cause);
    return open;
  }

  private void dropHeld() {
    Buffer chunk = held;
    held = null;
    if (chunk != null) {
      WireBuffers.giveBack(chunk);
    }
  }

  private void end() {
    ended = true;
    begin();
    tellEnd();
  }

  private void fail(Throwable cause) {
    if (!ended && failure == null) {
      failure = cause;
      dropHeld();
      if (cause instanceof MalformedBodyException) {
        begin(); // The client is still there, and gets an answer.
      }
      collecting = false;
      begun = null;
      tellEnd();
    }
  }

  private void tellEnd() {
    if ((!ended && failure == null) || held != null) {
      return;
    }
    Flow.Subscriber<? super ByteBuffer> receiver = subscriber;
    subscriber = null;
    if (receiver != null) {
      if (failure != null) {
        receiver.onError(failure);
      } else {
        receiver.onComplete();
      }
    }
    tellDrained();
  }

  private void tellDrained() {
    Runnable then = afterEnd;
    afterEnd = null;
    if (then != null) {
      then.run();
    }
  }

  private void onLoop(Runnable step) {
    EventLoops.run(context, step);
  }

  private final class Demand implements Flow.Subscription {
    @Override
    public void request(long amount) {
      onLoop(() -> {
        demand = Math.addExact(demand, Math.min(amount, Long.MAX_VALUE - demand));
        Buffer chunk = held;
        if (chunk != null && demand > 0) {
          held = null;
          deliver(chunk);
          tellEnd();
        }
      });
    }

    @Override
    public void cancel() {
      onLoop(() -> {
        subscriber = null;
        dropHeld();
        giveBack();
        demand = 0;
      });
    }
  }

  private static final class Refused implements Flow.Subscription {
    @Override
    public void request(long amount) {}

    @Override
    public void cancel() {}
  }
}
