package dev.tarn.gateway.wire;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.VertxConnection;
import java.util.function.Predicate;

/**
 * Notices a body whose chunks of HTTP cannot be decoded. Vert.x would close its connection without
 * an answer, so whoever reads the body is told instead, and answers. The decoder ignores whatever
 * comes behind.
 */
public final class BrokenBodies extends ChannelInboundHandlerAdapter {
  private static final String DECODER = "httpDecoder";

  private final Predicate<Throwable> reader;

  private BrokenBodies(Predicate<Throwable> reader) {
    this.reader = reader;
  }

  /**
   * Tells the reader, on the event loop, why a body of this connection is broken.
   *
   * @param reader whether somebody was reading, and will answer and close
   */
  public static void watch(HttpConnection connection, Predicate<Throwable> reader) {
    ((VertxConnection) connection)
        .channel()
        .pipeline()
        .addAfter(DECODER, null, new BrokenBodies(reader));
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpContent content
        && !(message instanceof HttpRequest)
        && content.decoderResult().isFailure()
        && reader.test(content.decoderResult().cause())) {
      content.release();
    } else {
      context.fireChannelRead(message);
    }
  }
}
