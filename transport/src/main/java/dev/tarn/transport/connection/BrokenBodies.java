package dev.tarn.transport.connection;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.VertxConnection;

/**
 * Detects a body with undecodable HTTP chunks. Vert.x would close the connection without an answer.
 * This handler reports the body to its reader instead, so that the reader can answer. The decoder
 * ignores all bytes after the broken chunk.
 */
public final class BrokenBodies extends ChannelInboundHandlerAdapter {
  private static final String DECODER = "httpDecoder";

  private final Reader reader;
  private long requests;

  private BrokenBodies(Reader reader) {
    this.reader = reader;
  }

  /** Reads the bodies of a connection. */
  @FunctionalInterface
  public interface Reader {
    /**
     * Reports that a body breaks off.
     *
     * @param request the body's request, counted from 1 on this connection; it may wait in a queue
     * @param cause why it cannot be decoded
     * @return whether the reader answers and closes the connection
     */
    boolean brokenOff(long request, Throwable cause);
  }

  /** Reports each broken body of this connection to the reader, on the event loop. */
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
