package dev.tarn.transport.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.VertxConnection;

/**
 * Counts the bytes that arrive, before the decoder, and detects a body with undecodable HTTP
 * chunks, behind the decoder. Vert.x would close the connection of such a body without an answer.
 * This handler reports the body to its reader instead, so that the reader can answer. The decoder
 * ignores all bytes after the broken chunk.
 */
public final class ReceivedBytes extends ChannelInboundHandlerAdapter {
  private static final String DECODER = "httpDecoder";

  private final Reader reader;
  private long requests;

  private ReceivedBytes(Reader reader) {
    this.reader = reader;
  }

  /** Reads the requests of a connection, on the event loop. */
  public interface Reader {
    /** Reports that bytes have arrived. A head may need many of these calls. */
    void arrived(int bytes);

    /**
     * Reports that a body breaks off.
     *
     * @param request the body's request, counted from 1 on this connection; it may wait in a queue
     * @param cause why it cannot be decoded
     * @return whether the reader answers and closes the connection
     */
    boolean brokenOff(long request, Throwable cause);
  }

  /** Reports all bytes and each broken body of this connection to the reader. */
  public static void watch(HttpConnection connection, Reader reader) {
    ReceivedBytes both = new ReceivedBytes(reader);
    ((VertxConnection) connection)
        .channel()
        .pipeline()
        .addBefore(DECODER, null, both)
        .addAfter(DECODER, null, both);
  }

  /** One instance stands before and behind the decoder of one connection. */
  @Override
  public boolean isSharable() {
    return true;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof ByteBuf bytes) {
      reader.arrived(bytes.readableBytes());
      context.fireChannelRead(message);
    } else if (message instanceof HttpRequest) {
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
