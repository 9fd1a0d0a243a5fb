package dev.tarn.transport.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.VertxConnection;

/** Functions of a connection that Vert.x does not offer. */
public final class Connections {
  private Connections() {}

  /**
   * Closes a connection immediately. A plain close would first wait until the peer has taken all
   * written bytes.
   */
  public static void abort(HttpConnection connection) {
    Channel.Unsafe channel = channel(connection).unsafe();
    channel.close(channel.voidPromise());
  }

  /**
   * The number of bytes in memory that wait for the connection's socket. Call this on the
   * connection's event loop.
   */
  public static long pendingBytes(HttpConnection connection) {
    ChannelOutboundBuffer buffer = channel(connection).unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes();
  }

  private static Channel channel(HttpConnection connection) {
    return ((VertxConnection) connection).channel();
  }
}
