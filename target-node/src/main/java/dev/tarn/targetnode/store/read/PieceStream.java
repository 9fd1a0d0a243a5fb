package dev.tarn.targetnode.store.read;

import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.targetnode.store.DiskHealth;
import dev.tarn.targetnode.store.memory.SerialExecutor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes what a {@link PieceSource} reads, on worker threads, as fast as the subscriber
 * requests. All steps run one after the other on a serial executor, so the fields need no lock.
 */
final class PieceStream implements Flow.Publisher<ByteBuffer>, Flow.Subscription {
  private static final Logger LOG = LoggerFactory.getLogger(PieceStream.class);

  private final ObjectName name;
  private final PieceSource source;
  private final DiskHealth health;
  private final Executor serial;
  private Flow.@Nullable Subscriber<? super ByteBuffer> subscriber;
  private long rest;
  private long requested;
  private boolean reading;
  private boolean closed;

  private PieceStream(
      ObjectName name, PieceSource source, long length, Executor workers, DiskHealth health) {
    this.name = name;
    this.source = source;
    this.rest = length;
    this.health = health;
    this.serial = new SerialExecutor(workers);
  }

  static OutgoingBody body(
      ObjectName name, PieceSource source, long length, Executor workers, DiskHealth health) {
    PieceStream stream = new PieceStream(name, source, length, workers, health);
    return new OutgoingBody.Stream(stream, length, stream::cancel);
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> newSubscriber) {
    serial.execute(() -> {
      newSubscriber.onSubscribe(this);
      if (subscriber != null || closed) {
        newSubscriber.onError(new IllegalStateException("a body has one subscriber only"));
        return;
      }
      subscriber = newSubscriber;
      read();
    });
  }

  @Override
  public void request(long count) {
    serial.execute(() -> {
      requested = requested + count < 0 ? Long.MAX_VALUE : requested + count;
      read();
    });
  }

  @Override
  public void cancel() {
    serial.execute(this::close);
  }

  /** Publishes one buffer and submits itself for the next, so that streams share the workers. */
  private void read() {
    Flow.Subscriber<? super ByteBuffer> active = subscriber;
    if (closed || active == null || reading || requested == 0) {
      return;
    }
    reading = true;
    try {
      ByteBuffer bytes = source.next();
      rest -= bytes.remaining();
      requested--;
      active.onNext(bytes);
      if (rest <= 0 && !closed) {
        close();
        active.onComplete();
      }
    } catch (IOException e) {
      if (health.failureOf(e) instanceof Failure.Corrupt damaged) {
        LOG.error("Read of {} broke off: {}; put the object again", name, damaged.message());
      }
      close();
      active.onError(e);
    } finally {
      reading = false;
    }
    if (!closed && requested > 0) {
      serial.execute(this::read);
    }
  }

  private void close() {
    if (!closed) {
      closed = true;
      source.close();
    }
  }
}
