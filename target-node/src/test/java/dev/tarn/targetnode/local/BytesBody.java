package dev.tarn.targetnode.local;

import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.IncomingBody;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;

/** A body of bytes that are there already, published in steps as they are asked for. */
public final class BytesBody implements IncomingBody {
  private static final int STEP = 100_000;

  private final byte[] bytes;
  private final boolean knownLength;
  private final DeclaredDigests declared;

  public BytesBody(byte[] bytes) {
    this(bytes, true, DeclaredDigests.NONE);
  }

  public BytesBody(byte[] bytes, boolean knownLength, DeclaredDigests declared) {
    this.bytes = bytes;
    this.knownLength = knownLength;
    this.declared = declared;
  }

  @Override
  public long length() {
    return knownLength ? bytes.length : UNKNOWN_LENGTH;
  }

  @Override
  public DeclaredDigests declaredDigests() {
    return declared;
  }

  @Override
  public Flow.Publisher<ByteBuffer> bytes() {
    return subscriber -> subscriber.onSubscribe(new Feed(subscriber));
  }

  private final class Feed implements Flow.Subscription {
    private final Flow.Subscriber<? super ByteBuffer> subscriber;
    private int at;
    private long requested;
    private boolean feeding;
    private boolean ended;

    Feed(Flow.Subscriber<? super ByteBuffer> subscriber) {
      this.subscriber = subscriber;
    }

    @Override
    public synchronized void request(long count) {
      requested += count;
      if (feeding) {
        return;
      }
      feeding = true;
      while (!ended && at < bytes.length && requested > 0) {
        int length = Math.min(STEP, bytes.length - at);
        ByteBuffer step = ByteBuffer.wrap(bytes, at, length).slice();
        at += length;
        requested--;
        subscriber.onNext(step);
      }
      feeding = false;
      if (!ended && at == bytes.length) {
        ended = true;
        subscriber.onComplete();
      }
    }

    @Override
    public synchronized void cancel() {
      ended = true;
    }
  }
}
