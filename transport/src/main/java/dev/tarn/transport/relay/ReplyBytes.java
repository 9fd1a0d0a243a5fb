package dev.tarn.transport.relay;

import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.transport.body.PooledBytes;
import dev.tarn.transport.body.WireBuffers;
import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a reply as they arrive, in the pooled memory that the socket was read into. Without
 * demand the connection is not read, so at most the bytes of one read wait here. All state belongs
 * to the connection's event loop.
 */
final class ReplyBytes implements PooledBytes, Flow.Subscription {
  private final RelayConnection connection;
  private final long length;
  private final Queue<ByteBuf> held = new ArrayDeque<>(2);
  private @Nullable Receiver receiver;
  private long demand;
  private boolean giving;
  private boolean whole;
  private boolean done;
  private @Nullable IOException failure;

  ReplyBytes(RelayConnection connection, long length) {
    this.connection = connection;
    this.length = length;
  }

  /** The subscriber, and the function that delivers buffers to it. */
  private record Receiver(Flow.Subscriber<?> subscriber, Consumer<ByteBuf> bytes) {}

  OutgoingBody outgoing() {
    return new OutgoingBody.Stream(this, length, this::cancel);
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    subscribed(
        new Receiver(
            subscriber,
            bytes -> {
              try {
                subscriber.onNext(bytes.nioBuffer());
              } finally {
                bytes.release();
              }
            }));
  }

  @Override
  public void subscribeOwning(Flow.Subscriber<? super Buffer> subscriber) {
    subscribed(new Receiver(subscriber, bytes -> subscriber.onNext(WireBuffers.owning(bytes))));
  }

  private void subscribed(Receiver by) {
    connection.onLoop(() -> {
      receiver = by;
      by.subscriber().onSubscribe(this);
      advance();
    });
  }

  @Override
  public void request(long count) {
    connection.onLoop(() -> {
      demand = demand + count < 0 ? Long.MAX_VALUE : demand + count;
      advance();
    });
  }

  /** Discards the bytes that have not been delivered; does nothing if all have been delivered. */
  @Override
  public void cancel() {
    connection.onLoop(() -> {
      if (!done) {
        end();
        if (!whole) {
          // Reading the rest would cost more than a new connection.
          connection.abort();
        }
      }
    });
  }

  /** Accepts more bytes. */
  void received(ByteBuf bytes) {
    if (done) {
      bytes.release();
    } else {
      held.add(bytes);
      advance();
    }
  }

  /** Accepts the last bytes; the connection now serves other calls. */
  void last(ByteBuf bytes) {
    whole = true;
    received(bytes);
  }

  /** Reports that no more bytes will arrive. */
  void broken(IOException cause) {
    whole = true;
    failure = cause;
    advance();
  }

  /** Whether more bytes should be read. */
  boolean wantsMore() {
    return done || (held.isEmpty() && demand > 0);
  }

  private void advance() {
    Receiver to = receiver;
    if (giving || done || to == null) {
      return;
    }
    giving = true;
    try {
      while (!done && demand > 0 && !held.isEmpty()) {
        demand--;
        to.bytes().accept(held.remove());
      }
    } finally {
      giving = false;
    }
    if (done || !held.isEmpty()) {
      return;
    }
    IOException broken = failure;
    if (broken != null) {
      end();
      to.subscriber().onError(broken);
    } else if (whole) {
      end();
      to.subscriber().onComplete();
    } else {
      connection.flow(this);
    }
  }

  private void end() {
    done = true;
    held.forEach(ByteBuf::release);
    held.clear();
  }
}
