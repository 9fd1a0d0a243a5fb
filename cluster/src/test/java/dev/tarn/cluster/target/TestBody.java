package dev.tarn.cluster.target;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A body out of memory that gives a buffer for each one requested, and may break off. */
public final class TestBody implements IncomingBody {
  private static final int BUFFER_BYTES = 64 * 1024;

  private final byte[] bytes;
  private final long length;
  private final DeclaredDigests digests;
  private final @Nullable Throwable failure;

  private TestBody(
      byte[] bytes, long length, DeclaredDigests digests, @Nullable Throwable failure) {
    this.bytes = bytes;
    this.length = length;
    this.digests = digests;
    this.failure = failure;
  }

  /** These bytes, whose length is declared. */
  public static TestBody of(byte[] bytes) {
    return new TestBody(bytes, bytes.length, DeclaredDigests.NONE, null);
  }

  /** This text in UTF-8. */
  public static TestBody of(String text) {
    return of(text.getBytes(UTF_8));
  }

  /** The same bytes with another declared length, or none. */
  public TestBody declaredLength(long newLength) {
    return new TestBody(bytes, newLength, digests, failure);
  }

  /** The same bytes with declared digests. */
  public TestBody declaring(DeclaredDigests newDigests) {
    return new TestBody(bytes, length, newDigests, failure);
  }

  /** The same bytes, and then a failure in place of the end. */
  public TestBody thenFailing(String message) {
    return new TestBody(bytes, length, digests, new IllegalStateException(message));
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public Flow.Publisher<ByteBuffer> bytes() {
    return subscriber -> subscriber.onSubscribe(new BodySubscription(subscriber));
  }

  @Override
  public DeclaredDigests declaredDigests() {
    return digests;
  }

  /** Gives what is requested; a request made inside onNext is served when that has returned. */
  private final class BodySubscription implements Flow.Subscription {
    private final Flow.Subscriber<? super ByteBuffer> subscriber;
    private final AtomicBoolean ended = new AtomicBoolean();
    private int position;
    private long requested;
    private boolean giving;

    BodySubscription(Flow.Subscriber<? super ByteBuffer> subscriber) {
      this.subscriber = subscriber;
    }

    @Override
    public void request(long count) {
      synchronized (this) {
        requested += count;
        if (giving) {
          return;
        }
        giving = true;
      }
      while (next()) {
        int size = Math.min(BUFFER_BYTES, bytes.length - position);
        // A copy that is wiped afterwards: a receiver that keeps the buffer is found out.
        byte[] lent = Arrays.copyOfRange(bytes, position, position + size);
        position += size;
        subscriber.onNext(ByteBuffer.wrap(lent));
        Arrays.fill(lent, (byte) 0xEE);
      }
      if (position == bytes.length && ended.compareAndSet(false, true)) {
        if (failure == null) {
          subscriber.onComplete();
        } else {
          subscriber.onError(failure);
        }
      }
    }

    private synchronized boolean next() {
      giving = requested > 0 && position < bytes.length && !ended.get();
      if (giving) {
        requested--;
      }
      return giving;
    }

    @Override
    public void cancel() {
      ended.set(true);
    }
  }
}
