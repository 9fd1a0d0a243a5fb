package dev.tarn.transport.body;

import dev.tarn.cluster.target.OutgoingBody.FileRange;
import dev.tarn.transport.connection.Connections;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelPromise;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.UncloseableFileRegion;
import io.vertx.core.net.impl.VertxConnection;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends ranges of open files with sendfile, one after the other, in steps. Each step waits until
 * the socket has taken the previous one. A slow reader therefore holds one file region and no
 * memory. Small steps let the receiver work while the next step is copied. The caller first writes
 * the response's head with its length. All methods belong to the connection's event loop.
 *
 * <p>Over TLS the bytes of a step are read into memory and encrypted. A slow reader then holds the
 * bytes of one step.
 */
public final class FileTransfer {
  private static final int STEP_BYTES = 256 << 10;
  private static final int ENCRYPTED_STEP_BYTES = 64 << 10;

  private final VertxConnection connection;
  private final boolean encrypts;
  private final Deque<FileRange> ranges;
  private final Promise<Void> sent;
  private long taken;
  private long done;
  private @Nullable UncloseableFileRegion region;
  private int encrypted;

  private FileTransfer(HttpServerRequest request, List<FileRange> ranges) {
    this.connection = (VertxConnection) request.connection();
    this.encrypts = request.isSSL();
    this.ranges = new ArrayDeque<>(ranges);
    this.sent = Promise.promise();
  }

  /** Starts to send. Closes each range when it is sent; the caller closes all. */
  public static FileTransfer start(HttpServerRequest request, List<FileRange> ranges) {
    FileTransfer transfer = new FileTransfer(request, ranges);
    transfer.next();
    return transfer;
  }

  /** Succeeds when the socket has taken the last byte. */
  public Future<Void> sent() {
    return sent.future();
  }

  /** The number of bytes that the socket has taken. */
  public long taken() {
    UncloseableFileRegion current = region;
    long ofStep =
        encrypted > 0
            ? Math.max(0, encrypted - Connections.pendingBytes((HttpConnection) connection))
            : current == null ? 0 : current.transferred();
    return taken + ofStep;
  }

  private void next() {
    FileRange range = ranges.peek();
    while (range != null && done == range.length()) {
      range.close(); // What is sent is not kept open until the end of a long body.
      ranges.remove();
      done = 0;
      range = ranges.peek();
    }
    if (range == null) {
      sent.complete();
      return;
    }
    if (encrypts) {
      writeStep(range);
    } else {
      sendStep(range);
    }
  }

  private void sendStep(FileRange range) {
    long step = Math.min(STEP_BYTES, range.length() - done);
    UncloseableFileRegion next =
        new UncloseableFileRegion(range.channel(), range.offset() + done, step);
    region = next;
    ChannelPromise promise = connection.channel().newPromise();
    promise.addListener(future -> {
      region = null;
      taken += next.transferred(); // Less than the step if the connection is lost.
      if (future.isSuccess()) {
        done += step;
        next();
      } else {
        if (future.cause() instanceof IOException failure) {
          range.failed().accept(failure);
        }
        sent.fail(future.cause());
      }
    });
    connection.writeToChannel(next, promise);
  }

  private void writeStep(FileRange range) {
    int step = (int) Math.min(ENCRYPTED_STEP_BYTES, range.length() - done);
    ByteBuf bytes = PooledByteBufAllocator.DEFAULT.directBuffer(step);
    try {
      read(range, bytes, step);
    } catch (IOException failure) {
      bytes.release();
      range.failed().accept(failure);
      sent.fail(failure);
      return;
    }
    encrypted = step;
    ChannelPromise promise = connection.channel().newPromise();
    promise.addListener(future -> {
      encrypted = 0;
      if (future.isSuccess()) {
        taken += step;
        done += step;
        next();
      } else {
        sent.fail(future.cause());
      }
    });
    connection.writeToChannel(bytes, promise);
  }

  private void read(FileRange range, ByteBuf bytes, int length) throws IOException {
    while (bytes.readableBytes() < length) {
      int missing = length - bytes.readableBytes();
      long position = range.offset() + done + bytes.readableBytes();
      if (bytes.writeBytes(range.channel(), position, missing) < 0) {
        throw new EOFException(
            "File ends at " + range.channel().size() + ", before the end of its range");
      }
    }
  }
}
