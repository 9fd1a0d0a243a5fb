package dev.tarn.transport.body;

import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.cluster.target.OutgoingBody.FileRange;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Forwards the bytes from one target as a body for another target. The caller closes the source.
 *
 * @param blocking runs the reads of files, each until its end
 */
public record ForwardedBody(OutgoingBody source, Executor blocking) implements IncomingBody {
  @Override
  public long length() {
    return source.length();
  }

  @Override
  public Flow.Publisher<ByteBuffer> bytes() {
    return switch (source) {
      case OutgoingBody.Stream stream -> stream.publisher();
      case OutgoingBody.Bytes bytes ->
          subscriber -> subscriber.onSubscribe(new Slices(bytes.buffer().duplicate(), subscriber));
      case FileRange file -> chunks(List.of(file));
      case OutgoingBody.FileRanges files -> chunks(files.ranges());
    };
  }

  private ChunkPublisher chunks(List<FileRange> files) {
    return new ChunkPublisher(new Files(files), source.length(), blocking);
  }

  @Override
  public DeclaredDigests declaredDigests() {
    return DeclaredDigests.NONE;
  }

  /** Publishes bytes in memory on the threads that request them. */
  private static final class Slices implements Flow.Subscription {
    private final ByteBuffer rest;
    private final Flow.Subscriber<? super ByteBuffer> subscriber;
    private final AtomicLong demand = new AtomicLong();
    private volatile boolean done;

    Slices(ByteBuffer rest, Flow.Subscriber<? super ByteBuffer> subscriber) {
      this.rest = rest;
      this.subscriber = subscriber;
    }

    @Override
    public void request(long count) {
      // While one call publishes, other calls only add to the demand.
      if (demand.getAndAdd(Math.min(count, 1 << 20)) == 0) {
        do {
          publishOrEnd();
        } while (demand.decrementAndGet() > 0);
      }
    }

    /**
     * Ends the body if its subscriber throws. The demand still counts down, so no call is stuck.
     */
    private void publishOrEnd() {
      try {
        publish();
      } catch (RuntimeException | Error defect) {
        if (done) {
          throw defect;
        }
        done = true;
        subscriber.onError(defect);
      }
    }

    private void publish() {
      if (!done && rest.hasRemaining()) {
        int size = Math.min(ChunkPublisher.CHUNK_BYTES_MAX, rest.remaining());
        ByteBuffer slice = rest.slice(rest.position(), size);
        rest.position(rest.position() + size);
        subscriber.onNext(slice);
      }
      if (!done && !rest.hasRemaining()) {
        done = true;
        subscriber.onComplete();
      }
    }

    @Override
    public void cancel() {
      done = true;
    }
  }

  private static final class Files implements ChunkSource {
    private final Deque<FileRange> rest;
    private long done;

    Files(List<FileRange> ranges) {
      rest = new ArrayDeque<>(ranges);
    }

    @Override
    public boolean read(ByteBuffer destination) throws IOException {
      FileRange file = rest.peek();
      while (file != null && done == file.length()) {
        rest.remove();
        done = 0;
        file = rest.peek();
      }
      if (file == null) {
        return false;
      }
      long missing = file.length() - done;
      if (missing < destination.remaining()) {
        destination.limit(destination.position() + (int) missing);
      }
      int count = file.channel().read(destination, file.offset() + done);
      if (count < 0) {
        throw new EOFException(
            "File ends at " + file.channel().size() + ", before the end of its range");
      }
      done += count;
      return true;
    }
  }
}
