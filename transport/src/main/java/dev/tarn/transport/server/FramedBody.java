package dev.tarn.transport.server;

import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.wire.BodyEnd;
import dev.tarn.cluster.wire.WireException;
import dev.tarn.transport.body.EventLoops;
import dev.tarn.transport.body.WireBuffers;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Parses the frames of an incoming body and publishes their bytes without a copy. Without demand
 * the connection is not read, so at most one chunk waits here. Only an end frame completes a body.
 * A request that ends before its end frame fails the body. All state belongs to the connection's
 * event loop.
 */
final class FramedBody implements IncomingBody, Flow.Subscription {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** The element that the next byte belongs to. */
  private enum State {
    FRAME_LENGTH,
    FRAME,
    END_LENGTH,
    END,
    BEHIND
  }

  private final Context context;
  private final HttpServerRequest http;
  private final long length;
  private State state = State.FRAME_LENGTH;
  private ByteBuffer unread = NOTHING;
  private ByteBuffer field = ByteBuffer.allocate(Integer.BYTES);
  private int frameMissing;
  private long demand;
  private boolean giving;
  private boolean fetching;
  private boolean requestEnded;
  private boolean done;
  private @Nullable IOException failure;
  private Flow.@Nullable Subscriber<? super ByteBuffer> subscriber;
  private volatile DeclaredDigests digests = DeclaredDigests.NONE;

  FramedBody(Context context, HttpServerRequest http, long length) {
    this.context = context;
    this.http = http;
    this.length = length;
    http.pause();
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public Flow.Publisher<ByteBuffer> bytes() {
    return newSubscriber -> EventLoops.run(context, () -> subscribed(newSubscriber));
  }

  @Override
  public DeclaredDigests declaredDigests() {
    return digests;
  }

  @Override
  public void request(long count) {
    EventLoops.run(
        context,
        () -> {
          demand = demand + count < 0 ? Long.MAX_VALUE : demand + count;
          advance();
        });
  }

  @Override
  public void cancel() {
    EventLoops.run(context, this::discard);
  }

  /** Discards the rest of the body, because the reply does not need it. */
  void discard() {
    done = true;
    unread = NOTHING;
    http.resume();
  }

  void received(Buffer chunk) {
    fetching = false;
    if (!done) {
      unread = WireBuffers.view(chunk);
      advance();
    }
  }

  void ended() {
    requestEnded = true;
    advance();
  }

  void broken(String problem) {
    if (!done) {
      fail(problem);
    }
  }

  private void subscribed(Flow.Subscriber<? super ByteBuffer> newSubscriber) {
    subscriber = newSubscriber;
    newSubscriber.onSubscribe(this);
    IOException failedBefore = failure;
    if (failedBefore != null) {
      newSubscriber.onError(failedBefore);
    }
    advance();
  }

  /** Publishes the available bytes up to the demand. Then reads more, or waits for demand. */
  private void advance() {
    Flow.Subscriber<? super ByteBuffer> receiver = subscriber;
    if (giving || receiver == null) {
      return;
    }
    giving = true;
    try {
      while (!done && unread.hasRemaining() && (state != State.FRAME || demand > 0)) {
        step(receiver);
      }
    } catch (WireException malformed) {
      fail(malformed.getMessage());
    } finally {
      giving = false;
    }
    if (done || unread.hasRemaining() || fetching) {
      return;
    }
    if (requestEnded) {
      fail("The body was cut off before its end.");
    } else if (demand > 0 || state != State.FRAME) {
      fetching = true;
      http.fetch(1);
    }
  }

  private void step(Flow.Subscriber<? super ByteBuffer> receiver) throws WireException {
    switch (state) {
      case FRAME_LENGTH -> {
        if (fieldIsFull()) {
          frameMissing = boundedLength(BodyEnd.FRAME_BYTES_MAX);
          field = ByteBuffer.allocate(Integer.BYTES);
          state = frameMissing == 0 ? State.END_LENGTH : State.FRAME;
        }
      }
      case FRAME -> {
        int size = Math.min(frameMissing, unread.remaining());
        ByteBuffer bytes = unread.slice(unread.position(), size);
        unread.position(unread.position() + size);
        frameMissing -= size;
        state = frameMissing == 0 ? State.FRAME_LENGTH : State.FRAME;
        demand--;
        receiver.onNext(bytes);
      }
      case END_LENGTH -> {
        if (fieldIsFull()) {
          field = ByteBuffer.allocate(boundedLength(BodyEnd.BYTES_MAX));
          state = State.END;
        }
      }
      case END -> {
        if (fieldIsFull()) {
          state = State.BEHIND;
          end(receiver, BodyEnd.decode(field.array()));
        }
      }
      case BEHIND -> unread = NOTHING;
    }
  }

  /** Moves bytes into the current field; returns whether the field is complete. */
  private boolean fieldIsFull() {
    int size = Math.min(field.remaining(), unread.remaining());
    field.put(field.position(), unread, unread.position(), size);
    field.position(field.position() + size);
    unread.position(unread.position() + size);
    return !field.hasRemaining();
  }

  private int boundedLength(int max) {
    int value = field.getInt(0);
    if (value < 0 || value > max) {
      fail("A frame of the body has length " + value + ", must be at most " + max + ".");
      return 0;
    }
    return value;
  }

  private void end(Flow.Subscriber<? super ByteBuffer> receiver, BodyEnd end) {
    switch (end) {
      case BodyEnd.Whole whole -> {
        digests = whole.digests();
        discard();
        receiver.onComplete();
      }
      case BodyEnd.Broken broken -> fail(broken.message());
    }
  }

  private void fail(@Nullable String problem) {
    discard();
    IOException failing = new IOException(problem);
    failure = failing;
    Flow.Subscriber<? super ByteBuffer> receiver = subscriber;
    if (receiver != null) {
      receiver.onError(failing);
    }
  }
}
