package dev.tarn.benchmarks.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/**
 * A request with its signature, and the expected answer.
 *
 * @param target the path and the query, percent-encoded
 * @param headers with Host, without Content-Length
 * @param body never consumed; requests with the same body share it
 */
public record PreparedRequest(
    String method,
    String target,
    Map<String, List<String>> headers,
    ByteBuffer body,
    Expectation expectation) {
  public PreparedRequest {
    requireNonNull(method, "method is null");
    requireNonNull(target, "target is null");
    headers = Map.copyOf(headers);
    requireNonNull(body, "body is null");
    requireNonNull(expectation, "expectation is null");
  }

  /** The request line and the headers, as bytes for the wire. */
  ByteBuffer head() {
    StringBuilder head = new StringBuilder(640);
    head.append(method).append(' ').append(target).append(" HTTP/1.1\r\n");
    headers.forEach((name, values) ->
        values.forEach(value -> head.append(name).append(": ").append(value).append("\r\n")));
    if (method.equals("PUT")) {
      head.append("content-length: ").append(body.remaining()).append("\r\n");
    }
    return ByteBuffer.wrap(head.append("\r\n").toString().getBytes(US_ASCII));
  }
}
