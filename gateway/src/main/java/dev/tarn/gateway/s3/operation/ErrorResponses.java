package dev.tarn.gateway.s3.operation;

import dev.tarn.gateway.error.S3Error;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Exchange;
import dev.tarn.gateway.http.HeaderNames;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.xml.XmlWriter;
import io.vertx.core.http.HttpMethod;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The only place that maps errors to answers. */
public final class ErrorResponses {
  private static final Logger LOG = LoggerFactory.getLogger(ErrorResponses.class);

  private static final int NOT_MODIFIED = 304;

  private ErrorResponses() {}

  /** The answer to a failed request. A defect of Tarn is logged with the request's id. */
  public static Response of(Exchange exchange, Throwable thrown) {
    Throwable cause = cause(thrown);
    if (cause instanceof S3Exception expected) {
      return of(exchange, expected.error());
    }
    LOG.error(
        "request {} {} {} failed by a defect and was answered with 500",
        exchange.requestId(),
        exchange.request().method(),
        exchange.request().path(),
        cause);
    return of(exchange, S3Error.of(S3ErrorCode.INTERNAL_ERROR));
  }

  static Throwable cause(Throwable thrown) {
    Throwable cause = thrown;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** The answer that reports this error. */
  public static Response of(Exchange exchange, S3Error error) {
    exchange.record().errorCode(error.code().code());
    Response response = Response.of(error.code().httpStatus());
    error.headers().forEach(response::header);
    String size = error.fields().get("ActualObjectSize");
    if (error.code() == S3ErrorCode.INVALID_RANGE && size != null) {
      response.header(HeaderNames.CONTENT_RANGE, "bytes */" + size);
    }
    if (error.code().httpStatus() == NOT_MODIFIED || isHead(exchange)) {
      return response;
    }
    return response.xml(document(exchange, error));
  }

  private static boolean isHead(Exchange exchange) {
    return exchange.request().method().equals(HttpMethod.HEAD);
  }

  private static byte[] document(Exchange exchange, S3Error error) {
    XmlWriter xml =
        XmlWriter.plainDocument("Error")
            .element("Code", error.code().code())
            .element("Message", error.message());
    error.fields().forEach(xml::element);
    return xml.element("Resource", Objects.requireNonNullElse(exchange.request().path(), "/"))
        .element("RequestId", exchange.requestId())
        .close("Error")
        .bytes();
  }
}
