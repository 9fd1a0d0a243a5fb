package dev.tarn.benchmarks.load;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;

/**
 * A request as bytes for the wire, and the expected answer.
 *
 * @param head the request line and the headers with the signature; never consumed
 * @param body a direct or an empty buffer; never consumed; requests with the same body share it
 * @param answerHasBody false for HEAD
 */
public record PreparedRequest(
    ByteBuffer head, ByteBuffer body, boolean answerHasBody, Expectation expectation) {
  public PreparedRequest {
    requireNonNull(head, "head is null");
    requireNonNull(body, "body is null");
    requireNonNull(expectation, "expectation is null");
  }

  /** The request line, for messages. */
  String line() {
    StringBuilder line = new StringBuilder();
    for (int i = head.position(); i < head.limit() && head.get(i) != '\r'; i++) {
      line.append((char) head.get(i));
    }
    return line.toString();
  }
}
