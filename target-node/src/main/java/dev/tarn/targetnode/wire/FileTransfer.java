package dev.tarn.targetnode.wire;

import io.netty.channel.ChannelPromise;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.UncloseableFileRegion;
import io.vertx.core.net.impl.VertxConnection;
import java.nio.channels.FileChannel;

/**
 * Sends a range of an open file by sendfile, step by step. Each step waits until the socket has
 * taken the one before it, so a slow reader holds one region and no memory; small steps leave the
 * receiver room to work while the next one is copied. The response's head must be written already,
 * with its length. All methods belong to the connection's event loop.
 */
public final class FileTransfer {
  private static final int STEP_BYTES = 256 << 10;

  private final VertxConnection connection;
  private final FileChannel channel;
  private final long end;
  private final Promise<Void> sent;
  private long position;

  private FileTransfer(VertxConnection connection, FileChannel channel, long offset, long length) {
    this.connection = connection;
    this.channel = channel;
    this.position = offset;
    this.end = offset + length;
    this.sent = Promise.promise();
  }

  /**
   * Sends a range; the bytes must not pass through TLS.
   *
   * @return succeeds when the socket has taken the last byte
   */
  public static Future<Void> send(
      HttpServerRequest request, FileChannel channel, long offset, long length) {
    FileTransfer transfer =
        new FileTransfer((VertxConnection) request.connection(), channel, offset, length);
    transfer.next();
    return transfer.sent.future();
  }

  private void next() {
    long step = Math.min(STEP_BYTES, end - position);
    if (step == 0) {
      sent.complete();
      return;
    }
    UncloseableFileRegion next = new UncloseableFileRegion(channel, position, step);
    ChannelPromise promise = connection.channel().newPromise();
    promise.addListener(future -> {
      if (future.isSuccess()) {
        position += step;
        next();
      } else {
        sent.fail(future.cause());
      }
    });
    connection.writeToChannel(next, promise);
  }
}
