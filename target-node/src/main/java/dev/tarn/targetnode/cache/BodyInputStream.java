package dev.tarn.targetnode.cache;

import dev.tarn.cluster.checksum.BodyDigests;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * An incoming body as a blocking stream, for the backend.
 *
 * <p>A sender may declare digests after the body, but a backend stores whatever it receives
 * completely. The stream therefore holds the last chunk back until the whole body has arrived and
 * its digests are verified. If they differ, the stream fails before its end, and the backend stores
 * nothing. The number of chunks in memory is bounded.
 */
final class BodyInputStream extends InputStream {
  private static final int CHUNKS_MAX = 4;

  /** Receives a copy of the bytes; never fails the stream. */
  interface Copy {
    /** Receives a chunk. The callee may move the buffer's position. */
    void write(ByteBuffer chunk);
  }

  /** A signal of the publisher. */
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
  private List<ObjectChecksum> checksums = List.of();

  BodyInputStream(IncomingBody body, BodyDigests digests, Copy copy) {
    this.body = body;
    this.digests = digests;
    this.copy = copy;
    body.bytes().subscribe(receiver);
  }

  /** Why the body was refused, after a read failed for that reason; empty otherwise. */
  Optional<Failure> refusal() {
    return Optional.ofNullable(refusal);
  }

  /** The checksums of the body; none before its end was read. */
  List<ObjectChecksum> checksums() {
    return checksums;
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

  /**
   * Releases the held-back chunk when it is known not to be the last, or when the body is verified.
   */
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
      refuse(
          new Failure.IncompleteBody("Body ended before its declared length; send it again."),
          broken.cause());
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
    BodyDigests.Computed computed = digests.finish();
    checksums = computed.checksums();
    Optional<Failure> contradiction = computed.contradiction(body.declaredDigests());
    if (contradiction.isPresent()) {
      refuse(contradiction.orElseThrow(), null);
    }
  }

  private void refuse(Failure failure, @Nullable Throwable cause) throws IOException {
    refusal = failure;
    throw new IOException(failure.message(), cause);
  }

  /** Cancels the rest of the body. */
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
        throw new IOException("Read of a body was interrupted", e);
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
