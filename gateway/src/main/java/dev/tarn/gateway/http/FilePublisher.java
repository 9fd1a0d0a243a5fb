package dev.tarn.gateway.http;

import dev.tarn.cluster.target.OutgoingBody.FileRange;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Publishes ranges of files as buffers to one subscriber. TLS needs this, because TLS must encrypt
 * the bytes in memory. Each read runs on a virtual thread, off the event loop. The size of a read
 * depends on the memory that all readers share.
 */
final class FilePublisher implements Flow.Publisher<ByteBuffer> {
  private final List<FileRange> ranges;
  private final ReadMemory memory;
  private final AtomicInteger held = new AtomicInteger();

  /** The caller closes the ranges. At least one range is not empty. */
  FilePublisher(List<FileRange> ranges, ReadMemory memory) {
    this.ranges = ranges;
    this.memory = memory;
  }

  /** Releases the memory of the last buffer: the client has taken it, or takes no more. */
  void giveBack() {
    memory.release(held.getAndSet(0));
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    subscriber.onSubscribe(new Reading(subscriber));
  }

  /** Publishes one buffer per request; the subscriber requests one at a time. */
  private final class Reading implements Flow.Subscription {
    private final Flow.Subscriber<? super ByteBuffer> subscriber;
    private final Deque<FileRange> rest = new ArrayDeque<>(ranges);
    private volatile boolean cancelled;
    private long done;

    Reading(Flow.Subscriber<? super ByteBuffer> subscriber) {
      this.subscriber = subscriber;
    }

    /** A subscriber that requests the next buffer has finished with the previous one. */
    @Override
    public void request(long amount) {
      giveBack();
      if (!cancelled && !rest.isEmpty()) {
        Thread.startVirtualThread(this::read);
      }
    }

    @Override
    public void cancel() {
      cancelled = true;
      giveBack();
    }

    private void read() {
      memory.reading(this::readNext);
    }

    private void readNext() {
      FileRange file = rest.element();
      try {
        ByteBuffer buffer = ByteBuffer.allocate(take(file.length() - done));
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
        if (cancelled) {
          giveBack();
        }
      } catch (IOException | OutOfMemoryError e) {
        // If no direct memory is left for the read, the answer breaks off immediately. Otherwise it
        // would hang.
        giveBack();
        subscriber.onError(e);
      }
    }

    private int take(long wanted) {
      int taken = memory.take(wanted);
      held.set(taken);
      return taken;
    }
  }
}
