package dev.tarn.transport.relay;

import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.transport.tls.MemberTls;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.util.Optional;

/**
 * Opens the connections of one event loop to one target. The target's latest announcement decides
 * whether a connection uses TLS. A handshake may take as long as the target allows: it does not fit
 * into the time to connect on a busy machine, and {@link TargetHealth} finds a target that is
 * silent in a handshake.
 *
 * @param known tells whether a connection uses TLS
 */
record Connector(Bootstrap bootstrap, TargetAddress address, KnownTargets known) {
  EventLoop loop() {
    return bootstrap.config().group().next();
  }

  /**
   * Opens a connection.
   *
   * @param handler receives what the target sends
   * @param reads the sizes of reads from the socket
   * @return completes on the event loop when the target can receive bytes
   */
  Future<?> connect(ChannelHandler handler, RecvByteBufAllocator reads) {
    Bootstrap reading = bootstrap.clone().option(ChannelOption.RECVBUF_ALLOCATOR, reads);
    Optional<MemberTls> secured;
    try {
      secured = known.tlsAt(address);
    } catch (IllegalStateException unknown) {
      return loop().newFailedFuture(unknown);
    }
    ChannelFuture connected =
        reading
            .handler(secured.<ChannelHandler>map(tls -> secured(tls, handler)).orElse(handler))
            .connect();
    if (connected.isDone() && !connected.isSuccess()) {
      return loop().newFailedFuture(connected.cause()); // Netty completes it elsewhere.
    }
    return secured.isEmpty() ? connected : shaken(connected, loop().newPromise());
  }

  private ChannelHandler secured(MemberTls member, ChannelHandler handler) {
    return new ChannelInitializer<Channel>() {
      @Override
      protected void initChannel(Channel channel) {
        SslHandler ssl = member.handler(channel.alloc(), address.host(), address.port());
        ssl.setHandshakeTimeoutMillis(MemberTls.HANDSHAKE_MAX.toMillis());
        channel.pipeline().addLast(ssl, handler);
      }
    };
  }

  /** Completes when the handshake has ended. */
  private static Future<?> shaken(ChannelFuture connected, Promise<Channel> ready) {
    connected.addListener(made -> {
      if (made.isSuccess()) {
        SslHandler ssl = connected.channel().pipeline().get(SslHandler.class);
        ssl.handshakeFuture().addListener(shaken -> complete(ready, shaken, connected));
      } else {
        ready.setFailure(made.cause());
      }
    });
    return ready;
  }

  private static void complete(Promise<Channel> ready, Future<?> shaken, ChannelFuture connected) {
    if (shaken.isSuccess()) {
      ready.setSuccess(connected.channel());
    } else {
      ready.setFailure(shaken.cause()); // The handler closes the connection.
    }
  }
}
