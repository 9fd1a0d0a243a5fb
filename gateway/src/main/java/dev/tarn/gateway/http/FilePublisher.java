package dev.tarn.gateway.http;

import dev.tarn.cluster.target.OutgoingBody.FileRange;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;

/**
 * A range of a file as buffers, for TLS, which must see the bytes. Each read runs on a virtual
 * thread, off the event loop.
 */
final class FilePublisher implements Flow.Publisher<ByteBuffer> {
  private static final int READ_BYTES = 128 << 10;

  private final FileRange file;

  FilePublisher(FileRange file) {
    this.file = file;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    subscriber.onSubscribe(new Reading(subscriber));
  }

  /** Serves one buffer per request; its subscriber asks for one at a time. */
  private final class Reading implements Flow.Subscription {
    private final Flow.Subscriber<? super ByteBuffer> subscriber;
    private volatile boolean cancelled;
    private long done;

    Reading(Flow.Subscriber<? super ByteBuffer> subscriber) {
      this.subscriber = subscriber;
    }

    @Override
    public void request(long amount) {
      if (!cancelled && done < file.length()) {
        Thread.startVirtualThread(this::read);
      }
    }

    @Override
    public void cancel() {
      cancelled = true;
    }

    private void read() {
      try {
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(READ_BYTES, file.length() - done));
        while (buffer.hasRemaining()) {
          if (file.channel().read(buffer, file.offset() + done + buffer.position()) < 0) {
            throw new EOFException("file ends before the range does");
          }
        }
        done += buffer.flip().remaining();
        subscriber.onNext(buffer);
        if (done == file.length()) {
          subscriber.onComplete();
        }
      } catch (IOException e) {
        subscriber.onError(e);
      }
    }
  }
}
