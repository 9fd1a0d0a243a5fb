package dev.tarn.benchmarks.load;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;

/**
 * A request as it goes on the wire, and what must come back.
 *
 * @param head request line and headers with the signature; never consumed
 * @param body direct or empty; never consumed, shared by requests that send the same
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
