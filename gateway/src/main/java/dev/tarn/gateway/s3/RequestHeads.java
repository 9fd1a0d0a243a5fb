package dev.tarn.gateway.s3;

import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.request.RequestHead;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;

/** From a received head to the record that signatures are judged by. */
final class RequestHeads {
  private RequestHeads() {}

  /** The head, its headers in the order sent. */
  static RequestHead parse(HttpServerRequest request) {
    Headers.Builder headers = Headers.builder();
    request.headers().forEach(headers::addWire);
    return RequestHead.parse(
        request.method().name(), request.uri(), headers.build(), request.isSSL(), Instant.now());
  }
}
