package dev.tarn.gateway.route;

import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.cluster.wire.HttpBinding;
import dev.tarn.cluster.wire.OutcomeCodec;
import dev.tarn.gateway.route.CallTransport.Reply;
import dev.tarn.gateway.wire.WireBuffers;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads an answer: the message that it begins with, then the bytes behind it. What came whole with
 * the message is given as it is; the rest is a stream. All state belongs to the event loop.
 */
final class ReplyReader {
  private static final int MESSAGE_DIGITS_MAX = 8;

  private final TargetAddress address;
  private final HttpClientRequest request;
  private final HttpClientResponse response;
  private final CompletableFuture<Outcome<Reply>> reply;
  private final Buffer message = Buffer.buffer();
  private int messageLength;
  private long bodyLength;
  private @Nullable ReplyBody body;

  ReplyReader(
      TargetAddress address,
      HttpClientRequest request,
      HttpClientResponse response,
      CompletableFuture<Outcome<Reply>> reply) {
    this.address = address;
    this.request = request;
    this.response = response;
    this.reply = reply;
  }

  void start() {
    messageLength = (int) number(HttpBinding.LENGTH_HEADER, MESSAGE_DIGITS_MAX);
    bodyLength = number("content-length", 18) - messageLength;
    if (response.statusCode() != 200
        || messageLength < 0
        || messageLength > OutcomeCodec.BYTES_MAX
        || bodyLength < 0) {
      fail("gave status " + response.statusCode() + " and no outcome");
      request.reset();
      return;
    }
    response.exceptionHandler(this::broken);
    response.endHandler(ignored -> ended());
    response.handler(this::received);
  }

  private long number(String header, int digitsMax) {
    String text = response.getHeader(header);
    return text == null || !text.matches("[0-9]{1," + digitsMax + "}") ? -1 : Long.parseLong(text);
  }

  private void received(Buffer chunk) {
    ReplyBody streaming = body;
    if (streaming != null) {
      streaming.received(WireBuffers.view(chunk));
      return;
    }
    int missing = messageLength - message.length();
    if (chunk.length() < missing) {
      message.appendBuffer(chunk);
      return;
    }
    message.appendBuffer(chunk, 0, missing);
    ByteBuffer rest = WireBuffers.view(chunk.slice(missing, chunk.length()));
    if (rest.remaining() == bodyLength) {
      succeed(new OutgoingBody.Bytes(rest, () -> {}));
    } else {
      ReplyBody begun = new ReplyBody(request, response, bodyLength, rest);
      body = begun;
      succeed(begun.outgoing());
    }
  }

  private void succeed(OutgoingBody outgoing) {
    Reply read = new Reply(message.getBytes(), outgoing);
    if (!reply.complete(Outcome.success(read))) {
      outgoing.close();
    }
  }

  private void ended() {
    ReplyBody streaming = body;
    if (streaming != null) {
      streaming.ended();
    } else if (!reply.isDone()) {
      fail("broke off its answer");
    }
  }

  private void broken(Throwable cause) {
    ReplyBody streaming = body;
    if (streaming != null) {
      streaming.broken(cause);
    } else {
      reply.complete(Outcome.failed(VertxTransport.failure(address, cause)));
    }
  }

  private void fail(String problem) {
    reply.complete(
        Outcome.failed(new Failure.Unavailable("The target at " + address + " " + problem + ".")));
  }
}
