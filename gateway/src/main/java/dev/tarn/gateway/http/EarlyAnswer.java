package dev.tarn.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;

/**
 * An answer that begins before its outcome is known: status 200, the XML declaration, and white
 * space from time to time. The document ends the answer and may report an error.
 */
final class EarlyAnswer {
  static final int STATUS = 200;

  private static final String DECLARATION = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

  private EarlyAnswer() {}

  /** Begins the answer, or adds white space to it. */
  static void write(Exchange exchange, boolean first) {
    HttpServerResponse http = exchange.request().response();
    if (first) {
      exchange.writeCommonHeaders(http.headers());
      http.setStatusCode(STATUS)
          .setChunked(true)
          .putHeader(HeaderNames.CONTENT_TYPE, HeaderNames.APPLICATION_XML);
      http.write(DECLARATION);
    } else if (!http.writeQueueFull()) {
      http.write(" ");
    }
  }

  /**
   * Ends the answer with its document. The document's XML declaration is skipped, because it is
   * already sent.
   */
  static Future<Void> end(Exchange exchange, Response response) {
    HttpServerResponse http = exchange.request().response();
    if (response.body() instanceof Response.Document document) {
      String text = new String(document.bytes(), UTF_8);
      return http.end(
          Buffer.buffer(
              text.startsWith(DECLARATION) ? text.substring(DECLARATION.length()) : text));
    }
    response.discard();
    return http.end();
  }
}
