package dev.tarn.transport.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.VertxConnection;

/** What Vert.x does not show of a connection. */
public final class Connections {
  private Connections() {}

  /** Closes at once: a plain close first waits until the peer has taken all written bytes. */
  public static void abort(HttpConnection connection) {
    Channel.Unsafe channel = channel(connection).unsafe();
    channel.close(channel.voidPromise());
  }

  /** Bytes in memory that wait for the connection's socket; on the connection's event loop. */
  public static long pendingBytes(HttpConnection connection) {
    ChannelOutboundBuffer buffer = channel(connection).unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes();
  }

  private static Channel channel(HttpConnection connection) {
    return ((VertxConnection) connection).channel();
  }
}
