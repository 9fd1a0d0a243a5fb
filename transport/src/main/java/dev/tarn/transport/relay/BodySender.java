package dev.tarn.transport.relay;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.wire.BodyEnd;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Sends a body in frames. Each buffer of frames is one chunk of the request. The sender requests
 * the next bytes when the socket has room. If the body's source fails, or if the target answers
 * early, a last frame reports that and the connection stays open. All state belongs to the
 * connection's event loop.
 */
final class BodySender implements Flow.Subscriber<ByteBuffer> {
  private static final String ANSWERED_EARLY = "The target answered before the end of the body.";
  private static final String LAST_CHUNK = "0\r\n\r\n";
  private static final int CHUNK_MARGIN_BYTES = 16;

  private final RelayConnection connection;
  private final IncomingBody body;
  private Flow.@Nullable Subscription subscription;
  private boolean waitsForRoom;
  private boolean ended;

  BodySender(RelayConnection connection, IncomingBody body) {
    this.connection = connection;
    this.body = body;
  }

  void start() {
    body.bytes().subscribe(this);
  }

  /** Whether the last byte of the request is written. */
  boolean ended() {
    return ended;
  }

  /** Stops sending, because the target has answered and needs no more of the body. */
  void stop() {
    if (!ended) {
      end(new BodyEnd.Broken(ANSWERED_EARLY));
      cancel();
    }
  }

  /** Stops sending, because the connection is lost. */
  void abandon() {
    if (!ended) {
      ended = true;
      cancel();
    }
  }

  void writabilityChanged() {
    if (waitsForRoom && connection.channel().isWritable()) {
      waitsForRoom = false;
      askForMore();
    }
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    connection.onLoop(() -> {
      subscription = given;
      if (ended) {
        given.cancel();
      } else {
        given.request(1);
      }
    });
  }

  @Override
  public void onNext(ByteBuffer bytes) {
    ByteBuf chunk = chunkOf(bytes);
    connection.onLoop(() -> write(chunk));
  }

  @Override
  public void onError(Throwable failure) {
    BodyEnd broken = new BodyEnd.Broken(Failure.reasonOf(failure));
    connection.onLoop(() -> end(broken));
  }

  @Override
  public void onComplete() {
    connection.onLoop(() -> end(new BodyEnd.Whole(body.declaredDigests())));
  }

  /**
   * Copies the bytes into frames, because published bytes are valid only during the call. The
   * result may be empty.
   */
  private static ByteBuf chunkOf(ByteBuffer bytes) {
    int frames = Math.ceilDiv(bytes.remaining(), BodyEnd.FRAME_BYTES_MAX);
    int size = bytes.remaining() + frames * Integer.BYTES;
    ByteBuf chunk = PooledByteBufAllocator.DEFAULT.directBuffer(size + CHUNK_MARGIN_BYTES);
    if (frames == 0) {
      return chunk;
    }
    beginChunk(chunk, size);
    int end = bytes.limit();
    while (bytes.hasRemaining()) {
      int frame = Math.min(bytes.remaining(), BodyEnd.FRAME_BYTES_MAX);
      chunk.writeInt(frame);
      chunk.writeBytes(bytes.limit(bytes.position() + frame));
      bytes.limit(end);
    }
    chunk.writeCharSequence("\r\n", US_ASCII);
    return chunk;
  }

  private static void beginChunk(ByteBuf chunk, int size) {
    chunk.writeCharSequence(Integer.toHexString(size), US_ASCII);
    chunk.writeCharSequence("\r\n", US_ASCII);
  }

  private void write(ByteBuf chunk) {
    if (ended) {
      chunk.release();
      return;
    }
    connection.send(chunk);
    if (connection.channel().isWritable()) {
      askForMore();
    } else {
      waitsForRoom = true;
    }
  }

  private void askForMore() {
    Flow.Subscription active = subscription;
    if (!ended && active != null) {
      active.request(1);
    }
  }

  private void end(BodyEnd end) {
    if (ended) {
      return;
    }
    ended = true;
    byte[] message = BodyEnd.encode(end);
    int size = 2 * Integer.BYTES + message.length;
    ByteBuf last =
        PooledByteBufAllocator.DEFAULT.directBuffer(
            size + CHUNK_MARGIN_BYTES + LAST_CHUNK.length());
    beginChunk(last, size);
    last.writeInt(0).writeInt(message.length).writeBytes(message);
    last.writeCharSequence("\r\n" + LAST_CHUNK, US_ASCII);
    connection.send(last);
  }

  private void cancel() {
    Flow.Subscription active = subscription;
    if (active != null) {
      active.cancel();
    }
  }
}
