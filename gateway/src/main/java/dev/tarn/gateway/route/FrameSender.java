package dev.tarn.gateway.route;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.wire.BodyEnd;
import dev.tarn.gateway.wire.EventLoops;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Sends a body in frames, asking for the next bytes when the socket has room. A body whose own
 * source fails is ended with a frame that says so, and the connection stays; so is one that the
 * target answers before it has all of it. All state belongs to the connection's event loop.
 */
final class FrameSender implements Flow.Subscriber<ByteBuffer> {
  private static final String ANSWERED_EARLY = "The target answered before the end of the body.";

  private final Context context;
  private final HttpClientRequest request;
  private final IncomingBody body;
  private Flow.@Nullable Subscription subscription;
  private boolean ended;

  /** On the event loop of the request. */
  FrameSender(HttpClientRequest request, IncomingBody body) {
    this.context = requireNonNull(Vertx.currentContext(), "not on an event loop");
    this.request = request;
    this.body = body;
  }

  void start() {
    request.exceptionHandler(cause -> abandon());
    body.bytes().subscribe(this);
  }

  /** The answer is there: nothing more of the body is wanted. */
  void stop() {
    EventLoops.run(
        context,
        () -> {
          if (!ended) {
            end(new BodyEnd.Broken(ANSWERED_EARLY));
            cancel();
          }
        });
  }

  @Override
  public void onSubscribe(Flow.Subscription newSubscription) {
    EventLoops.run(
        context,
        () -> {
          subscription = newSubscription;
          if (ended) {
            newSubscription.cancel();
          } else {
            newSubscription.request(1);
          }
        });
  }

  @Override
  public void onNext(ByteBuffer buffer) {
    Buffer frames = Buffer.buffer(buffer.remaining() + Integer.BYTES);
    while (buffer.hasRemaining()) {
      byte[] bytes = new byte[Math.min(buffer.remaining(), BodyEnd.FRAME_BYTES_MAX)];
      buffer.get(bytes);
      frames.appendInt(bytes.length).appendBytes(bytes);
    }
    EventLoops.run(context, () -> write(frames));
  }

  @Override
  public void onError(Throwable failure) {
    String message = failure.getMessage();
    BodyEnd broken =
        new BodyEnd.Broken(message == null ? failure.getClass().getSimpleName() : message);
    EventLoops.run(context, () -> end(broken));
  }

  @Override
  public void onComplete() {
    EventLoops.run(context, () -> end(new BodyEnd.Whole(body.declaredDigests())));
  }

  private void write(Buffer frames) {
    Flow.Subscription active = subscription;
    if (ended || active == null) {
      return;
    }
    if (frames.length() > 0) {
      request.write(frames);
    }
    if (request.writeQueueFull()) {
      request.drainHandler(ignored -> active.request(1));
    } else {
      active.request(1);
    }
  }

  private void end(BodyEnd end) {
    if (!ended) {
      ended = true;
      byte[] message = BodyEnd.encode(end);
      request.end(Buffer.buffer().appendInt(0).appendInt(message.length).appendBytes(message));
    }
  }

  /** The connection is lost. */
  private void abandon() {
    if (!ended) {
      ended = true;
      cancel();
    }
  }

  private void cancel() {
    Flow.Subscription active = subscription;
    if (active != null) {
      active.cancel();
    }
  }
}
