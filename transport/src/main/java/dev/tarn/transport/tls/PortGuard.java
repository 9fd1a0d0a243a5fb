package dev.tarn.transport.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.VertxConnection;

/**
 * Refuses callers that speak TLS to a plain port, or plain HTTP to a TLS port. The answer is plain,
 * so that both kinds of callers can tell what is wrong.
 */
public final class PortGuard extends ChannelInboundHandlerAdapter {
  /** The status of an answer to plain HTTP where TLS is due. */
  public static final int TLS_DUE_STATUS = 426;

  /** The first byte of a TLS handshake. No HTTP request begins with it. */
  private static final byte HANDSHAKE = 0x16;

  private static final byte[] TLS_DUE =
      answer(TLS_DUE_STATUS + " Upgrade Required", "This port takes TLS only.\n");
  private static final byte[] PLAIN_DUE =
      answer("400 Bad Request", "This port takes plain HTTP only.\n");

  private final boolean tlsDue;
  private final String host;
  private final boolean readers;

  /**
   * Guards a connection that has received nothing yet.
   *
   * @param readers whether the port is for direct reads only
   */
  PortGuard(boolean tlsDue, String host, boolean readers) {
    this.tlsDue = tlsDue;
    this.host = host;
    this.readers = readers;
  }

  private static byte[] answer(String status, String text) {
    return "HTTP/1.1 %s\r\nconnection: close\r\ncontent-length: %d\r\n\r\n%s"
        .formatted(status, text.length(), text)
        .getBytes(US_ASCII);
  }

  /** Guards a connection of a plain port that has received nothing yet. */
  public static void guardPlain(HttpConnection connection) {
    String host = String.valueOf(connection.remoteAddress().hostAddress());
    ((VertxConnection) connection).channel().pipeline().addFirst(new PortGuard(false, host, false));
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object received) {
    ByteBuf bytes = (ByteBuf) received;
    if (!bytes.isReadable()) {
      context.fireChannelRead(received);
    } else if ((bytes.getByte(bytes.readerIndex()) == HANDSHAKE) == tlsDue) {
      context.pipeline().remove(this);
      context.fireChannelRead(received);
    } else {
      bytes.release();
      if (!readers) {
        HandshakeFailures.calledWrongPort(host, tlsDue);
      }
      context.channel().config().setAutoRead(false);
      context
          .writeAndFlush(Unpooled.wrappedBuffer(tlsDue ? TLS_DUE : PLAIN_DUE))
          .addListener(ChannelFutureListener.CLOSE);
    }
  }
}
