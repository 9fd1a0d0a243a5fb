package dev.tarn.transport.server;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.Grant;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.wire.HttpBinding;
import dev.tarn.cluster.wire.OutcomeCodec;
import dev.tarn.cluster.wire.RequestCodec;
import dev.tarn.cluster.wire.WireException;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One call. The headers are checked before any byte of the request is stored. Then the request is
 * collected and checked. After that its body, if any, flows to the target as fast as the target
 * requests it. No byte of a body is read before the checks. A reply begins with the encoded
 * outcome, with its length in a header. All methods belong to the connection's event loop.
 */
final class IncomingCall implements ReplyForm {
  static final int CHUNK_BYTES_MAX = 256 << 10;

  private final Context context;
  private final HttpServerRequest http;
  private final Capabilities capabilities;
  private final CallAdmission admission;
  private final Buffer message = Buffer.buffer();
  private final ReplyWriter reply;

  private int messageLength;
  private boolean messageComplete;
  private @Nullable FramedBody body;
  private boolean refused;

  IncomingCall(
      Context context, HttpServerRequest http, Capabilities capabilities, CallAdmission admission) {
    this.context = context;
    this.http = http;
    this.capabilities = capabilities;
    this.admission = admission;
    this.reply = new ReplyWriter(context, http, this, this::discardBody);
  }

  void start() {
    messageLength = messageLength();
    Optional<Failure> stranger = capabilities.refuseCall(header(HttpBinding.CAPABILITY_HEADER));
    if (stranger.isPresent()) {
      refuse(stranger.orElseThrow());
    } else if (messageLength < 0) {
      refuse(
          new Failure.InvalidRequest(
              "Call cannot be read: "
                  + HttpBinding.LENGTH_HEADER
                  + " must be 0 to "
                  + RequestCodec.BYTES_MAX
                  + "."));
    }
    http.handler(this::received);
    http.endHandler(ignored -> ended());
    http.exceptionHandler(this::broken);
  }

  private int messageLength() {
    String text = http.getHeader(HttpBinding.LENGTH_HEADER);
    if (text == null || !text.matches("[0-9]{1,7}")) {
      return -1;
    }
    int length = Integer.parseInt(text);
    return length > RequestCodec.BYTES_MAX ? -1 : length;
  }

  private void received(Buffer chunk) {
    FramedBody flowing = body;
    if (flowing != null) {
      flowing.received(chunk);
    }
    if (refused || messageComplete) {
      return;
    }
    int missing = messageLength - message.length();
    if (chunk.length() < missing) {
      message.appendBuffer(chunk);
      return;
    }
    message.appendBuffer(chunk, 0, missing);
    messageComplete = true;
    accept();
    FramedBody begun = body;
    if (begun != null && chunk.length() > missing) {
      begun.received(chunk.slice(missing, chunk.length()));
    }
  }

  private void accept() {
    try {
      TargetRequest<?> request = RequestCodec.decode(message.getBytes());
      Optional<Failure> forbidden =
          capabilities.refuse(header(HttpBinding.CAPABILITY_HEADER), Grant.of(request));
      if (forbidden.isPresent()) {
        refuse(forbidden.orElseThrow());
      } else {
        judge(request, request.hasBody() ? beginBody() : IncomingBody.EMPTY);
      }
    } catch (RuntimeException | Error defect) {
      reply.fail(defect);
    } catch (WireException malformed) {
      refuse(unreadable(malformed));
    }
  }

  /** Callers of a later release retry, because this target is probably about to be updated. */
  private static Failure unreadable(WireException malformed) {
    return malformed.isOfNewerVersion()
        ? new Failure.Unavailable("Call failed: " + malformed.getMessage() + ".")
        : new Failure.InvalidRequest(String.valueOf(malformed.getMessage()));
  }

  /**
   * Creates the body. The connection is paused from here on: the body's subscriber decides when to
   * read.
   */
  private FramedBody beginBody() {
    FramedBody begun = new FramedBody(context, http, bodyLength());
    body = begun;
    return begun;
  }

  private void judge(TargetRequest<?> request, IncomingBody incoming) {
    reply.whenReady(
        admission.admit(request),
        admitted -> {
          switch (admitted) {
            case Outcome.Failed<ObjectTarget>(Failure failure) -> refuse(failure);
            case Outcome.Success<ObjectTarget>(ObjectTarget target) -> {
              if (!reply.isLost()) { // A lost caller may send the call again.
                carryOut(target, request, incoming);
              }
            }
          }
        });
  }

  private <R> void carryOut(ObjectTarget target, TargetRequest<R> request, IncomingBody incoming) {
    if (request instanceof Get get) {
      reply.read(target.call(get, incoming));
    } else {
      OutcomeCodec<R> codec = OutcomeCodec.of(request);
      reply.give(target.call(request, incoming), outcome -> announced(codec.encode(outcome)));
    }
  }

  @Override
  public byte[] read(HttpServerResponse response, ObjectRead read) {
    return announced(OutcomeCodec.HEAD.encode(Outcome.success(read.head())));
  }

  @Override
  public byte[] failure(HttpServerResponse response, Failure failure) {
    return announced(OutcomeCodec.encodeFailure(failure));
  }

  /** Sets the header with the length of this message; returns the message. */
  private byte[] announced(byte[] outcome) {
    http.response().putHeader(HttpBinding.LENGTH_HEADER, Integer.toString(outcome.length));
    return outcome;
  }

  private long bodyLength() {
    String text = header(HttpBinding.BODY_LENGTH_HEADER);
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : IncomingBody.UNKNOWN_LENGTH;
  }

  private void discardBody() {
    FramedBody flowing = body;
    if (flowing != null) {
      flowing.discard();
    }
  }

  private String header(String name) {
    String value = http.getHeader(name);
    return value == null ? "" : value;
  }

  /** Replies immediately and discards the rest of the body, so that the connection stays usable. */
  private void refuse(Failure failure) {
    refused = true;
    reply.fail(failure);
  }

  private void ended() {
    FramedBody flowing = body;
    if (flowing != null) {
      flowing.ended();
    } else if (!refused && !messageComplete) {
      refuse(
          new Failure.InvalidRequest(
              "Call cannot be read: the request ended after "
                  + message.length()
                  + " of "
                  + messageLength
                  + " bytes."));
    }
  }

  private void broken(Throwable cause) {
    FramedBody flowing = body;
    if (flowing != null) {
      flowing.broken("The sender went away: " + cause.getMessage());
    }
    reply.connectionLost();
  }
}
