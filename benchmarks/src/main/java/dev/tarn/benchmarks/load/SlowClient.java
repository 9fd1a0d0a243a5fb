package dev.tarn.benchmarks.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One connection that sends or reads one byte at each turn. */
final class SlowClient implements AutoCloseable {
  /** The length of {@code HTTP/1.1 200}. */
  private static final int STATUS_BYTES = 12;

  private static final int DRAINED_BYTES_MAX = 64 << 10;

  /** The transfer that the client makes slowly. */
  enum Kind {
    HEADERS,
    PUT,
    GET
  }

  private final Kind kind;
  private final SocketChannel channel;
  private final ByteBuffer dripped;
  private final ByteBuffer status = ByteBuffer.allocate(STATUS_BYTES);
  private @Nullable String end;

  /**
   * Sends the first bytes of a request at once.
   *
   * @param channel connected and not blocking; owned by the client from here on
   * @param dripped the bytes to send one by one; empty for a GET
   */
  SlowClient(Kind kind, SocketChannel channel, ByteBuffer atOnce, ByteBuffer dripped) {
    this.kind = requireNonNull(kind, "kind is null");
    this.channel = requireNonNull(channel, "channel is null");
    this.dripped = dripped.duplicate();
    try {
      channel.write(atOnce.duplicate());
    } catch (IOException e) {
      end("cut");
    }
  }

  /**
   * Sends or reads one byte. A client reads the status of an answer at once, so that it notices a
   * refusal.
   *
   * @param buffer the buffer to use; its content is overwritten
   */
  void turn(ByteBuffer buffer) {
    if (end != null) {
      return;
    }
    try {
      read(status.hasRemaining() ? status : buffer.clear().limit(1));
      if (isRefused()) {
        end("refused with " + new String(status.array(), US_ASCII).substring(STATUS_BYTES - 3));
      } else if (dripped.hasRemaining()) {
        ByteBuffer one = dripped.duplicate().limit(dripped.position() + 1);
        dripped.position(dripped.position() + channel.write(one));
      }
    } catch (IOException e) {
      end("cut");
    }
  }

  /** Takes a last turn. A reader reads the bytes in its socket: a reset shows behind them. */
  void drain(ByteBuffer buffer) {
    turn(buffer);
    try {
      int drained = 0;
      int count = end == null && kind == Kind.GET ? 1 : 0;
      while (count > 0 && drained < DRAINED_BYTES_MAX) {
        count = read(buffer.clear());
        drained += count;
      }
    } catch (IOException e) {
      end("cut");
    }
  }

  private int read(ByteBuffer buffer) throws IOException {
    int count = channel.read(buffer);
    if (count < 0) {
      throw new EOFException("the server closed the connection");
    }
    return count;
  }

  /** A GET is answered with 200. The others end before their answer, unless they are refused. */
  private boolean isRefused() {
    return !status.hasRemaining()
        && (kind != Kind.GET || !new String(status.array(), US_ASCII).endsWith(" 200"));
  }

  /** The kind of the client and how the server ended it; empty while it is served. */
  Optional<String> ended() {
    return Optional.ofNullable(end).map(how -> kind.name().toLowerCase(Locale.ROOT) + " " + how);
  }

  private void end(String how) {
    end = how;
    close();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // Nobody reads or writes it any more.
    }
  }
}
