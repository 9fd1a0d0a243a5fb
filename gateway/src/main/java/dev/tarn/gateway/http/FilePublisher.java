package dev.tarn.gateway.http;

import dev.tarn.cluster.target.OutgoingBody.FileRange;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Flow;

/**
 * Ranges of files as buffers, for TLS, which must see the bytes. Each read runs on a virtual
 * thread, off the event loop.
 */
final class FilePublisher implements Flow.Publisher<ByteBuffer> {
  private static final int READ_BYTES = 128 << 10;

  private final List<FileRange> ranges;

  /** Whoever gives the ranges, which are not all empty, closes them. */
  FilePublisher(List<FileRange> ranges) {
    this.ranges = ranges;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    subscriber.onSubscribe(new Reading(subscriber));
  }

  /** Serves one buffer per request; its subscriber asks for one at a time. */
  private final class Reading implements Flow.Subscription {
    private final Flow.Subscriber<? super ByteBuffer> subscriber;
    private final Deque<FileRange> rest = new ArrayDeque<>(ranges);
    private volatile boolean cancelled;
    private long done;

    Reading(Flow.Subscriber<? super ByteBuffer> subscriber) {
      this.subscriber = subscriber;
    }

    @Override
    public void request(long amount) {
      if (!cancelled && !rest.isEmpty()) {
        Thread.startVirtualThread(this::read);
      }
    }

    @Override
    public void cancel() {
      cancelled = true;
    }

    private void read() {
      FileRange file = rest.element();
      try {
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(READ_BYTES, file.length() - done));
        while (buffer.hasRemaining()) {
          if (file.channel().read(buffer, file.offset() + done + buffer.position()) < 0) {
            throw new EOFException("file ends before the range does");
          }
        }
        done += buffer.flip().remaining();
        boolean last = done == file.length() && rest.size() == 1;
        if (done == file.length()) {
          rest.remove();
          done = 0;
        }
        subscriber.onNext(buffer);
        if (last) {
          subscriber.onComplete();
        }
      } catch (IOException | OutOfMemoryError e) {
        // Without direct memory to read through, the answer breaks off at once instead of hanging.
        subscriber.onError(e);
      }
    }
  }
}
