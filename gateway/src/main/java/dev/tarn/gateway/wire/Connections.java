package dev.tarn.gateway.wire;

import io.netty.channel.Channel;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.VertxConnection;

/** Ends connections whose client does not take what was written. */
public final class Connections {
  private Connections() {}

  /** Closes at once: a plain close would first wait until the client has taken all of it. */
  public static void abort(HttpConnection connection) {
    Channel.Unsafe channel = ((VertxConnection) connection).channel().unsafe();
    channel.close(channel.voidPromise());
  }
}
