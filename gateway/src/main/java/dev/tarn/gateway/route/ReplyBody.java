package dev.tarn.gateway.route;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.gateway.wire.EventLoops;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of an answer as they arrive. While nobody asks for them, the connection is not read: at
 * most one chunk waits here. All state belongs to the connection's event loop.
 */
final class ReplyBody implements Flow.Publisher<ByteBuffer>, Flow.Subscription {
  private final Context context;
  private final HttpClientRequest request;
  private final HttpClientResponse response;
  private final long length;
  private @Nullable ByteBuffer waiting;
  private Flow.@Nullable Subscriber<? super ByteBuffer> subscriber;
  private long demand;
  private boolean giving;
  private boolean fetching;
  private boolean responseEnded;
  private boolean done;
  private @Nullable IOException failure;

  /** On the response's event loop; {@code first} came with the message. */
  ReplyBody(HttpClientRequest request, HttpClientResponse response, long length, ByteBuffer first) {
    this.context = requireNonNull(Vertx.currentContext(), "not on an event loop");
    this.request = request;
    this.response = response;
    this.length = length;
    this.waiting = first.hasRemaining() ? first : null;
    response.pause();
  }

  OutgoingBody outgoing() {
    return new OutgoingBody.Stream(this, length, this::cancel);
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> newSubscriber) {
    EventLoops.run(
        context,
        () -> {
          subscriber = newSubscriber;
          newSubscriber.onSubscribe(this);
          IOException failedBefore = failure;
          if (failedBefore != null) {
            newSubscriber.onError(failedBefore);
          }
          advance();
        });
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

  /** Gives up the bytes that have not come; harmless when all have. */
  @Override
  public void cancel() {
    EventLoops.run(
        context,
        () -> {
          if (!done) {
            done = true;
            waiting = null;
            // Reading on would cost more than another connection does.
            request.reset();
          }
        });
  }

  void received(ByteBuffer bytes) {
    fetching = false;
    if (!done) {
      waiting = bytes;
      advance();
    }
  }

  void ended() {
    responseEnded = true;
    advance();
  }

  void broken(Throwable cause) {
    if (!done) {
      done = true;
      IOException failing = new IOException("the target broke off its answer", cause);
      failure = failing;
      Flow.Subscriber<? super ByteBuffer> receiver = subscriber;
      if (receiver != null) {
        receiver.onError(failing);
      }
    }
  }

  private void advance() {
    Flow.Subscriber<? super ByteBuffer> receiver = subscriber;
    if (giving || done || receiver == null) {
      return;
    }
    giving = true;
    ByteBuffer bytes = waiting;
    while (bytes != null && demand > 0 && !done) {
      waiting = null;
      demand--;
      receiver.onNext(bytes);
      bytes = waiting;
    }
    giving = false;
    if (done || waiting != null) {
      return;
    }
    if (responseEnded) {
      done = true;
      receiver.onComplete();
    } else if (!fetching) {
      fetching = true;
      response.fetch(1);
    }
  }
}
