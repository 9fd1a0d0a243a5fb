package dev.tarn.gateway.route;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;

/** Publishes bytes that can be read at will, off the event loop, one buffer for each requested. */
final class PulledBody implements Flow.Subscription {
  private final Flow.Subscriber<? super ByteBuffer> subscriber;
  private final long length;
  private final Executor blocking;
  private final Source source;
  private long position;
  private long demand;
  private boolean giving;
  private boolean done;

  /** Gives the bytes at a position: some of those there are. */
  interface Source {
    ByteBuffer at(long position) throws IOException;
  }

  PulledBody(
      Flow.Subscriber<? super ByteBuffer> subscriber,
      long length,
      Executor blocking,
      Source source) {
    this.subscriber = subscriber;
    this.length = length;
    this.blocking = blocking;
    this.source = source;
  }

  void start() {
    subscriber.onSubscribe(this);
  }

  @Override
  public void request(long count) {
    synchronized (this) {
      demand = demand + count < 0 ? Long.MAX_VALUE : demand + count;
      if (giving || done) {
        return;
      }
      giving = true;
    }
    blocking.execute(this::give);
  }

  @Override
  public synchronized void cancel() {
    done = true;
  }

  private void give() {
    while (next()) {
      try {
        ByteBuffer buffer = source.at(position);
        position += buffer.remaining();
        subscriber.onNext(buffer);
      } catch (IOException failed) {
        if (finish()) {
          subscriber.onError(failed);
        }
      }
    }
    if (position == length && finish()) {
      subscriber.onComplete();
    }
  }

  private synchronized boolean next() {
    giving = !done && demand > 0 && position < length;
    if (giving) {
      demand--;
    }
    return giving;
  }

  private synchronized boolean finish() {
    boolean first = !done;
    done = true;
    return first;
  }
}
