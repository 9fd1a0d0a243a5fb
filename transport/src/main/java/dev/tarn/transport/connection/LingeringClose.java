package dev.tarn.transport.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.VertxConnection;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends a connection whose client may still be sending. Closing a socket with unread bytes resets
 * the connection, and the client loses an answer that it has not read yet. This handler therefore
 * shuts down the output only, and discards the bytes that arrive until the client closes, sends too
 * much, or takes too long.
 */
public final class LingeringClose extends ChannelDuplexHandler {
  private final long timeoutMs;
  private long bytesLeft;
  private boolean lingering;
  private @Nullable ScheduledFuture<?> timeout;

  private LingeringClose(long bytesMax, long timeoutMs) {
    this.bytesLeft = bytesMax;
    this.timeoutMs = timeoutMs;
  }

  /**
   * Applies this behaviour to the connection from now on. Call this on the connection's event loop.
   *
   * @param bytesMax how many bytes are discarded at most
   * @param timeoutMs how long the client may take, in milliseconds
   */
  public static void use(HttpConnection connection, long bytesMax, long timeoutMs) {
    ((VertxConnection) connection)
        .channel()
        .pipeline()
        .addFirst(new LingeringClose(bytesMax, timeoutMs));
  }

  @Override
  public void close(ChannelHandlerContext context, ChannelPromise promise) throws Exception {
    if (!(context.channel() instanceof DuplexChannel channel) || !channel.isActive()) {
      super.close(context, promise);
      return;
    }
    channel.closeFuture().addListener(ignored -> promise.trySuccess());
    if (!lingering) {
      lingering = true;
      timeout =
          context.executor().schedule(() -> closeNow(context), timeoutMs, TimeUnit.MILLISECONDS);
      channel.shutdownOutput().addListener(shut -> readOn(context, shut.isSuccess()));
    }
  }

  private static void readOn(ChannelHandlerContext context, boolean shut) {
    if (shut) {
      context.channel().config().setAutoRead(true);
    } else {
      closeNow(context);
    }
  }

  private static void closeNow(ChannelHandlerContext context) {
    context.channel().unsafe().close(context.channel().voidPromise());
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!lingering) {
      context.fireChannelRead(message);
      return;
    }
    bytesLeft -= lengthOf(message);
    ReferenceCountUtil.release(message);
    if (bytesLeft < 0) {
      closeNow(context);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    ScheduledFuture<?> waiting = timeout;
    if (waiting != null) {
      waiting.cancel(false);
    }
    context.fireChannelInactive();
  }

  private static int lengthOf(Object message) {
    return message instanceof ByteBuf bytes ? bytes.readableBytes() : 0;
  }
}
