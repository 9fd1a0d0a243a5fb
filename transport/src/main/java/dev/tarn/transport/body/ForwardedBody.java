package dev.tarn.transport.body;

import dev.tarn.cluster.checksum.StreamingDigest;
import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.cluster.target.OutgoingBody.FileRange;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Forwards the bytes from one target as a body for another target, and notes where the source broke
 * off. If the source knows no MD5 of the bytes, their MD5 is computed as they pass, and declared at
 * the end. The caller closes the source.
 */
public final class ForwardedBody implements IncomingBody {
  /** Keeps at most 2 MiB of each of the 7 sizes up to that of a chunk. */
  private static final DirectBuffers BUFFERS = new DirectBuffers(2L << 20);

  private final OutgoingBody source;
  private final DeclaredDigests known;
  private volatile DeclaredDigests digests;
  private final Executor blocking;
  private volatile OptionalLong brokenAfterBytes = OptionalLong.empty();

  /**
   * Forwards these bytes.
   *
   * @param digests of the bytes, as their source knows them; the receiver compares them
   * @param blocking runs the reads of files, each until its end
   */
  public ForwardedBody(OutgoingBody source, DeclaredDigests digests, Executor blocking) {
    this.source = source;
    this.known = digests;
    this.digests = digests;
    this.blocking = blocking;
  }

  @Override
  public long length() {
    return source.length();
  }

  @Override
  public DeclaredDigests declaredDigests() {
    return digests;
  }

  /** After how many bytes the source broke off; empty if it did not. */
  public OptionalLong brokenAfterBytes() {
    return brokenAfterBytes;
  }

  @Override
  public Flow.Publisher<ByteBuffer> bytes() {
    Flow.Publisher<ByteBuffer> published =
        switch (source) {
          case OutgoingBody.Stream stream -> stream.publisher();
          case OutgoingBody.Bytes bytes ->
              subscriber ->
                  subscriber.onSubscribe(new Slices(bytes.buffer().duplicate(), subscriber));
          case FileRange file -> chunks(List.of(file));
          case OutgoingBody.FileRanges files -> chunks(files.ranges());
        };
    return subscriber -> published.subscribe(new Counting(subscriber));
  }

  private ChunkPublisher chunks(List<FileRange> files) {
    return new ChunkPublisher(new Files(files), source.length(), BUFFERS, blocking);
  }

  /** Passes the source's signals on, counts the bytes, and digests them. */
  private final class Counting implements Flow.Subscriber<ByteBuffer> {
    private final Flow.Subscriber<? super ByteBuffer> subscriber;
    private final @Nullable StreamingDigest md5 =
        known.md5Hex().isEmpty() ? StreamingDigest.md5() : null;
    private long forwarded;

    Counting(Flow.Subscriber<? super ByteBuffer> subscriber) {
      this.subscriber = subscriber;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscriber.onSubscribe(subscription);
    }

    @Override
    public void onNext(ByteBuffer bytes) {
      forwarded += bytes.remaining();
      if (md5 != null) {
        md5.update(bytes);
      }
      subscriber.onNext(bytes);
    }

    @Override
    public void onError(Throwable cause) {
      brokenAfterBytes = OptionalLong.of(forwarded);
      subscriber.onError(cause);
    }

    @Override
    public void onComplete() {
      if (md5 != null) {
        Optional<String> md5Hex = Optional.of(HexFormat.of().formatHex(md5.finish()));
        digests = new DeclaredDigests(md5Hex, known.checksums());
      }
      subscriber.onComplete();
    }
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
