package dev.tarn.targetnode.wire;

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
import java.util.function.LongConsumer;

/**
 * Sends ranges of open files by sendfile, one behind the other, step by step. Each step waits until
 * the socket has taken the one before it, so a slow reader holds one region and no memory; small
 * steps leave the receiver room to work while the next one is copied. The response's head must be
 * written already, with its length. All methods belong to the connection's event loop.
 */
public final class FileTransfer {
  private static final int STEP_BYTES = 256 << 10;

  private final VertxConnection connection;
  private final Deque<FileRange> ranges;
  private final LongConsumer taken;
  private final Promise<Void> sent;
  private long done;

  private FileTransfer(VertxConnection connection, List<FileRange> ranges, LongConsumer taken) {
    this.connection = connection;
    this.ranges = new ArrayDeque<>(ranges);
    this.taken = taken;
    this.sent = Promise.promise();
  }

  /**
   * Sends the ranges; the bytes must not pass through TLS. Whoever gave the ranges closes them.
   *
   * @param taken told how many more bytes the socket has taken
   * @return succeeds when the socket has taken the last byte
   */
  public static Future<Void> send(
      HttpServerRequest request, List<FileRange> ranges, LongConsumer taken) {
    FileTransfer transfer = new FileTransfer((VertxConnection) request.connection(), ranges, taken);
    transfer.next();
    return transfer.sent.future();
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
    ChannelPromise promise = connection.channel().newPromise();
    promise.addListener(future -> {
      if (future.isSuccess()) {
        done += step;
        taken.accept(step);
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
