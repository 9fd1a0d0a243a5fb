package dev.tarn.targetnode.cache;

import dev.tarn.cluster.checksum.BodyDigests;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * An incoming body as a blocking stream, for a backend that takes one.
 *
 * <p>What a sender declares of its body may come behind it, but a backend stores what it has
 * received whole. So the last chunk is held back until all has arrived and the digests have been
 * compared: if they differ, the stream fails before its end and the backend stores nothing. A
 * bounded number of chunks is in memory.
 */
final class BodyInputStream extends InputStream {
  private static final int CHUNKS_MAX = 4;

  /** Takes the bytes as they pass; never fails the stream. */
  interface Copy {
    /** Takes a chunk; the buffer is the callee's to move. */
    void write(ByteBuffer chunk);
  }

  /** What arrives from the publisher. */
  private sealed interface Signal {
    record Chunk(ByteBuffer bytes) implements Signal {}

    record End() implements Signal {}

    record Broken(Throwable cause) implements Signal {}
  }

  private final IncomingBody body;
  private final BodyDigests digests;
  private final Copy copy;
  private final Receiver receiver = new Receiver();
  private ByteBuffer current = ByteBuffer.allocate(0);
  private @Nullable ByteBuffer heldBack;
  private boolean ended;
  private long received;
  private @Nullable Failure refusal;

  BodyInputStream(IncomingBody body, BodyDigests digests, Copy copy) {
    this.body = body;
    this.digests = digests;
    this.copy = copy;
    body.bytes().subscribe(receiver);
  }

  /** Why the body was refused, once a read has failed; empty if it was not. */
  Optional<Failure> refusal() {
    return Optional.ofNullable(refusal);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] destination, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (!current.hasRemaining()) {
      if (ended) {
        return -1;
      }
      advance();
    }
    int count = Math.min(length, current.remaining());
    current.get(destination, offset, count);
    return count;
  }

  /** Moves the chunk held back to the front, once it is known not to be the last or to be right. */
  private void advance() throws IOException {
    if (refusal != null) {
      throw new IOException(refusal.message());
    }
    Signal signal = receiver.take();
    if (signal instanceof Signal.Chunk chunk) {
      digests.update(chunk.bytes());
      copy.write(chunk.bytes().duplicate());
      received += chunk.bytes().remaining();
      current = heldBack == null ? current : heldBack;
      heldBack = chunk.bytes();
    } else if (signal instanceof Signal.Broken broken) {
      refuse(new Failure.IncompleteBody("The body did not arrive whole."), broken.cause());
    } else {
      checkWhole();
      ended = true;
      current = heldBack == null ? current : heldBack;
      heldBack = null;
    }
  }

  private void checkWhole() throws IOException {
    if (body.length() != IncomingBody.UNKNOWN_LENGTH && body.length() != received) {
      String message =
          "The body has " + received + " bytes, its sender said " + body.length() + ".";
      refuse(new Failure.IncompleteBody(message), null);
    }
    Optional<Failure> contradiction = digests.finish().contradiction(body.declaredDigests());
    if (contradiction.isPresent()) {
      refuse(contradiction.orElseThrow(), null);
    }
  }

  private void refuse(Failure failure, @Nullable Throwable cause) throws IOException {
    refusal = failure;
    throw new IOException(failure.message(), cause);
  }

  /** Gives up what has not been read. */
  @Override
  public void close() {
    receiver.cancel();
  }

  private static final class Receiver implements Flow.Subscriber<ByteBuffer> {
    private final BlockingQueue<Signal> signals = new ArrayBlockingQueue<>(CHUNKS_MAX + 1);
    private volatile Flow.@Nullable Subscription subscription;

    Signal take() throws IOException {
      try {
        Signal signal = signals.take();
        Flow.Subscription open = subscription;
        if (signal instanceof Signal.Chunk && open != null) {
          open.request(1);
        }
        return signal;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while waiting for a body", e);
      }
    }

    void cancel() {
      Flow.Subscription open = subscription;
      if (open != null) {
        open.cancel();
      }
    }

    @Override
    public void onSubscribe(Flow.Subscription opened) {
      subscription = opened;
      opened.request(CHUNKS_MAX);
    }

    @Override
    public void onNext(ByteBuffer chunk) {
      ByteBuffer own = ByteBuffer.allocate(chunk.remaining()).put(chunk.duplicate()).flip();
      signals.add(new Signal.Chunk(own));
    }

    @Override
    public void onError(Throwable cause) {
      signals.add(new Signal.Broken(cause));
    }

    @Override
    public void onComplete() {
      signals.add(new Signal.End());
    }
  }
}
