package dev.tarn.targetnode.api;

import dev.tarn.targetnode.wire.EventLoops;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Writes published bytes to a response, asking for the next ones when the socket has room. */
final class StreamWriter implements Flow.Subscriber<ByteBuffer> {
  private final Context context;
  private final HttpServerResponse http;
  private final long length;
  private final Promise<Void> written = Promise.promise();
  private Flow.@Nullable Subscription subscription;
  private long taken;
  private boolean cancelled;

  StreamWriter(Context context, HttpServerResponse http, long length) {
    this.context = context;
    this.http = http;
    this.length = length;
  }

  /** Succeeds when all bytes are written; fails when they are not those that were promised. */
  Future<Void> written() {
    return written.future();
  }

  /** How many bytes were written so far; on the event loop. */
  long taken() {
    return taken;
  }

  /** Stops; on the event loop. */
  void cancel() {
    cancelled = true;
    Flow.Subscription active = subscription;
    if (active != null) {
      active.cancel();
    }
  }

  @Override
  public void onSubscribe(Flow.Subscription newSubscription) {
    EventLoops.run(
        context,
        () -> {
          subscription = newSubscription;
          if (cancelled) {
            newSubscription.cancel();
          } else {
            newSubscription.request(1);
          }
        });
  }

  @Override
  public void onNext(ByteBuffer buffer) {
    byte[] copy = new byte[buffer.remaining()];
    buffer.get(copy);
    EventLoops.run(context, () -> write(copy));
  }

  @Override
  public void onError(Throwable failure) {
    EventLoops.run(context, () -> written.tryFail(failure));
  }

  @Override
  public void onComplete() {
    EventLoops.run(
        context,
        () -> {
          if (taken == length) {
            written.tryComplete();
          } else {
            written.tryFail(new IOException("body has " + taken + " of " + length + " bytes"));
          }
        });
  }

  private void write(byte[] bytes) {
    Flow.Subscription active = subscription;
    if (cancelled || active == null) {
      return;
    }
    taken += bytes.length;
    if (taken > length) {
      cancel();
      written.tryFail(new IOException("body has more than " + length + " bytes"));
      return;
    }
    http.write(Buffer.buffer(bytes));
    if (http.writeQueueFull()) {
      http.drainHandler(ignored -> active.request(1));
    } else {
      active.request(1);
    }
  }
}
