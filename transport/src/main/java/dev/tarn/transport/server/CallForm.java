package dev.tarn.transport.server;

import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.wire.HttpBinding;
import dev.tarn.cluster.wire.OutcomeCodec;
import io.vertx.core.http.HttpServerResponse;

/** Writes replies to calls: an encoded outcome, with its length in a header. */
final class CallForm implements ReplyForm {
  @Override
  public byte[] read(HttpServerResponse http, ObjectRead read) {
    return announced(http, OutcomeCodec.HEAD.encode(Outcome.success(read.head())));
  }

  @Override
  public byte[] failure(HttpServerResponse http, Failure failure) {
    return announced(http, OutcomeCodec.encodeFailure(failure));
  }

  /** Sets the header with the length of this message; returns the message. */
  static byte[] announced(HttpServerResponse http, byte[] message) {
    http.putHeader(HttpBinding.LENGTH_HEADER, Integer.toString(message.length));
    return message;
  }
}
