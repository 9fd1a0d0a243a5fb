package dev.tarn.gateway.s3.operation;

import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Exchange;
import dev.tarn.gateway.http.MalformedBodyException;
import dev.tarn.gateway.http.RequestBody;
import dev.tarn.gateway.payload.PayloadDecoder;
import dev.tarn.transport.connection.DecodingFailures;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * The decoded and verified body of a request, as the target receives it. One chunk of the socket is
 * decoded at a time. Its pieces are handed on as requested, and only then is the next chunk read.
 * The state belongs to the connection's event loop.
 */
public final class DecodedBody implements IncomingBody, Flow.Publisher<ByteBuffer> {
  private final Exchange exchange;
  private final PayloadDecoder decoder;
  private volatile @Nullable S3Exception failure;

  /** Whether the body is known to have begun on threads other than the exchange's event loop. */
  private volatile boolean begun;

  public DecodedBody(Exchange exchange, PayloadDecoder decoder) {
    this.exchange = exchange;
    this.decoder = decoder;
  }

  @Override
  public long length() {
    return decoder.decodedLength();
  }

  @Override
  public Flow.Publisher<ByteBuffer> bytes() {
    return this;
  }

  @Override
  public DeclaredDigests declaredDigests() {
    return decoder.declaredDigests();
  }

  @Override
  public boolean hasBegun(Runnable later) {
    RequestBody raw = exchange.body();
    if (raw == null) {
      return true;
    }
    if (exchange.isOnLoop()) {
      return raw.hasBegun(later);
    }
    if (begun) {
      return true;
    }
    Runnable step =
        () -> {
          begun = true; // The step may ask again on this other thread.
          later.run();
        };
    exchange.onLoop(() -> {
      if (raw.hasBegun(step)) {
        step.run();
      }
    });
    return false;
  }

  /** Why the body differs from what was signed or declared; null while no difference is found. */
  public @Nullable S3Exception failure() {
    return failure;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    exchange.onLoop(() -> {
      RequestBody raw = exchange.body();
      if (raw == null) {
        Decoding nothing = new Decoding(subscriber, () -> {});
        subscriber.onSubscribe(nothing);
        nothing.onComplete();
      } else {
        raw.subscribe(new Decoding(subscriber, raw::giveBack));
      }
    });
  }

  private final class Decoding implements Flow.Subscriber<ByteBuffer>, Flow.Subscription {
    private final Flow.Subscriber<? super ByteBuffer> receiver;
    private final Runnable giveBack;
    private final Queue<ByteBuffer> pieces = new ArrayDeque<>();
    private Flow.@Nullable Subscription upstream;
    private long demand;
    private boolean awaiting;
    private boolean delivering;
    private boolean complete;
    private boolean done;

    /**
     * One subscription.
     *
     * @param giveBack runs when the memory of the last chunk is no longer in use
     */
    Decoding(Flow.Subscriber<? super ByteBuffer> receiver, Runnable giveBack) {
      this.receiver = receiver;
      this.giveBack = giveBack;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      upstream = subscription;
      receiver.onSubscribe(this);
    }

    @Override
    public void onNext(ByteBuffer chunk) {
      awaiting = false;
      if (done) {
        return;
      }
      try {
        decoder.feed(chunk, pieces::add);
      } catch (S3Exception e) {
        fail(e);
        return;
      }
      deliver();
    }

    @Override
    public void onError(Throwable cause) {
      if (done) {
        return;
      }
      done = true;
      if (cause instanceof MalformedBodyException) {
        // The body is not cancelled, because the receiver may still use the memory of the last
        // chunk.
        S3Exception reason =
            S3Exception.of(
                S3ErrorCode.INVALID_REQUEST,
                "The chunks of the body are not valid HTTP/1.1: "
                    + DecodingFailures.reason(cause.getCause()));
        failure = reason;
        receiver.onError(reason);
      } else {
        receiver.onError(cause);
      }
    }

    @Override
    public void onComplete() {
      if (done) {
        return;
      }
      try {
        decoder.end();
      } catch (S3Exception e) {
        fail(e);
        return;
      }
      complete = true;
      deliver();
    }

    private void fail(S3Exception cause) {
      failure = cause;
      done = true;
      pieces.clear();
      if (upstream != null) {
        upstream.cancel();
      }
      receiver.onError(cause);
    }

    @Override
    public void request(long amount) {
      exchange.onLoop(() -> {
        demand += Math.min(amount, Long.MAX_VALUE - demand);
        deliver();
      });
    }

    @Override
    public void cancel() {
      exchange.onLoop(() -> {
        done = true;
        pieces.clear();
        if (upstream != null) {
          upstream.cancel();
        }
      });
    }

    /**
     * The receiver may request more while it receives a piece. The outer call then continues the
     * loop.
     */
    private void deliver() {
      if (delivering) {
        return;
      }
      delivering = true;
      while (!done && demand > 0 && !pieces.isEmpty()) {
        demand--;
        receiver.onNext(pieces.remove());
      }
      delivering = false;
      if (done || !pieces.isEmpty()) {
        return;
      }
      giveBack.run();
      if (complete) {
        done = true;
        receiver.onComplete();
      } else if (demand > 0 && !awaiting && upstream != null) {
        awaiting = true;
        upstream.request(1);
      }
    }
  }
}
