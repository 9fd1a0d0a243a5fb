package dev.tarn.transport.connection;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.VertxConnection;

/**
 * Notices a body whose chunks of HTTP cannot be decoded. Vert.x would close its connection without
 * an answer, so whoever reads the body is told instead, and answers. The decoder ignores whatever
 * comes behind.
 */
public final class BrokenBodies extends ChannelInboundHandlerAdapter {
  private static final String DECODER = "httpDecoder";

  private final Reader reader;
  private long requests;

  private BrokenBodies(Reader reader) {
    this.reader = reader;
  }

  /** Who reads the bodies of a connection. */
  @FunctionalInterface
  public interface Reader {
    /**
     * A body breaks off.
     *
     * @param request whose body it is, counted from 1 on this connection; it may wait behind others
     * @param cause why it cannot be decoded
     * @return whether somebody reads it, or will, and then answers and closes
     */
    boolean brokenOff(long request, Throwable cause);
  }

  /** Tells the reader, on the event loop, which body of this connection is broken, and why. */
  public static void watch(HttpConnection connection, Reader reader) {
    ((VertxConnection) connection)
        .channel()
        .pipeline()
        .addAfter(DECODER, null, new BrokenBodies(reader));
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpRequest) {
      requests++;
      context.fireChannelRead(message);
    } else if (message instanceof HttpContent content
        && content.decoderResult().isFailure()
        && reader.brokenOff(requests, content.decoderResult().cause())) {
      content.release();
    } else {
      context.fireChannelRead(message);
    }
  }
}
