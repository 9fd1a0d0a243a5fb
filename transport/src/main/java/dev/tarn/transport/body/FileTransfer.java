package dev.tarn.transport.body;

import dev.tarn.cluster.target.OutgoingBody.FileRange;
import io.netty.channel.ChannelPromise;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.UncloseableFileRegion;
import io.vertx.core.net.impl.VertxConnection;
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
 */
public final class FileTransfer {
  private static final int STEP_BYTES = 256 << 10;

  private final VertxConnection connection;
  private final Deque<FileRange> ranges;
  private final Promise<Void> sent;
  private long taken;
  private long done;
  private @Nullable UncloseableFileRegion region;

  private FileTransfer(VertxConnection connection, List<FileRange> ranges) {
    this.connection = connection;
    this.ranges = new ArrayDeque<>(ranges);
    this.sent = Promise.promise();
  }

  /** Starts to send; the connection must not use TLS. The caller closes the ranges. */
  public static FileTransfer start(HttpServerRequest request, List<FileRange> ranges) {
    FileTransfer transfer = new FileTransfer((VertxConnection) request.connection(), ranges);
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
    return taken + (current == null ? 0 : current.transferred());
  }

  private void next() {
    FileRange range = ranges.peek();
    while (range != null && done == range.length()) {
      ranges.remove();
      done = 0;
      range = ranges.peek();
    }
    if (range == null) {
      sent.complete();
      return;
    }
    FileRange sending = range;
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
          sending.failed().accept(failure);
        }
        sent.fail(future.cause());
      }
    });
    connection.writeToChannel(next, promise);
  }
}
