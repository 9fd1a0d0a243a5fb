package dev.tarn.transport.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.wire.HttpBinding;
import io.vertx.core.http.HttpServerResponse;

/**
 * Writes replies to direct reads by clients: the object's bytes with headers as in S3, or a status
 * and a sentence.
 */
final class ObjectForm implements ReplyForm {
  private static final byte[] NOTHING = {};

  private final String requestId;
  private final boolean ofRange;

  /**
   * Creates the form of one reply.
   *
   * @param requestId as in this target's log lines about the request
   * @param ofRange whether the request names a range
   */
  ObjectForm(String requestId, boolean ofRange) {
    this.requestId = requestId;
    this.ofRange = ofRange;
  }

  @Override
  public byte[] read(HttpServerResponse http, ObjectRead read) {
    ObjectHead head = read.head();
    mark(http)
        .putHeader("etag", '"' + head.metadata().etag() + '"')
        .putHeader("accept-ranges", "bytes")
        .putHeader("content-type", "binary/octet-stream");
    if (ofRange) {
      long last = head.offset() + head.length() - 1;
      http.setStatusCode(206)
          .putHeader(
              "content-range",
              "bytes " + head.offset() + '-' + last + '/' + head.metadata().sizeBytes());
    }
    return NOTHING;
  }

  @Override
  public byte[] failure(HttpServerResponse http, Failure failure) {
    mark(http)
        .setStatusCode(status(failure))
        .putHeader("content-type", "text/plain; charset=utf-8");
    return (failure.message() + "\n").getBytes(UTF_8);
  }

  private HttpServerResponse mark(HttpServerResponse http) {
    return http.putHeader(HttpBinding.READ_ANSWER_HEADER, "1")
        .putHeader(HttpBinding.REQUEST_ID_HEADER, requestId);
  }

  private static int status(Failure failure) {
    return switch (failure.category()) {
      case CALLER -> callerStatus(failure);
      case MISSING -> 404;
      case CONFLICT -> 409;
      case OVERLOADED -> 503;
      case CORRUPT, BUG -> 500;
      case BACKEND -> 502;
    };
  }

  private static int callerStatus(Failure failure) {
    if (failure instanceof Failure.Forbidden) {
      return 403;
    }
    if (failure instanceof Failure.PreconditionFailed) {
      return 412;
    }
    return failure instanceof Failure.RangeNotSatisfiable ? 416 : 400;
  }
}
