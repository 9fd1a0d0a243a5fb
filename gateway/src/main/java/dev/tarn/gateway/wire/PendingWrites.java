package dev.tarn.gateway.wire;

import io.netty.channel.ChannelOutboundBuffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.VertxConnection;

/** How much of what was written the socket has not taken. */
public final class PendingWrites {
  private PendingWrites() {}

  /** Bytes in memory that wait for the request's socket; on the connection's event loop. */
  public static long bytes(HttpServerRequest request) {
    ChannelOutboundBuffer buffer =
        ((VertxConnection) request.connection()).channel().unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes();
  }
}
