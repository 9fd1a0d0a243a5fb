package dev.tarn.gateway.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.request.RequestHead;
import java.time.Instant;

/**
 * A request as an input: a line {@code METHOD target}, a line {@code name: value} for each header,
 * perhaps an empty line and a body. Its head comes to a parser as HTTP decoders give it.
 */
public final class WireRequest {
  private final String[] lines;
  private final byte[] body;

  private WireRequest(String[] lines, byte[] body) {
    this.lines = lines;
    this.body = body;
  }

  /** The request that an input stands for; there is always one. */
  public static WireRequest of(FuzzInput input) {
    String wire = input.wire();
    int headEnd = wire.indexOf("\n\n");
    String head = headEnd < 0 ? wire : wire.substring(0, headEnd);
    String body = headEnd < 0 ? "" : wire.substring(headEnd + 2);
    return new WireRequest(head.split("\n", -1), body.getBytes(ISO_8859_1));
  }

  /** The input that stands for a request. */
  public static byte[] input(RequestHead head) {
    StringBuilder text = new StringBuilder(head.method()).append(' ').append(head.rawPath());
    if (!head.query().raw().isEmpty()) {
      text.append('?').append(head.query().raw());
    }
    for (int i = 0; i < head.headers().size(); i++) {
      text.append('\n').append(head.headers().nameAt(i));
      text.append(": ").append(head.headers().valueAt(i));
    }
    return text.toString().getBytes(UTF_8);
  }

  /** The first line up to its space. */
  private String method() {
    int space = lines[0].indexOf(' ');
    return space < 0 ? lines[0] : lines[0].substring(0, space);
  }

  /** The first line behind its space, up to white space, which ends it on the wire too. */
  private String target() {
    int start = lines[0].indexOf(' ') + 1;
    int end = start;
    while (end < lines[0].length() && !Character.isWhitespace(lines[0].charAt(end))) {
      end++;
    }
    return lines[0].substring(start, end);
  }

  /** The headers, those left out that no HTTP decoder passes on. */
  public Headers headers() {
    Headers.Builder headers = Headers.builder();
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      if (colon > 0) {
        headers.addWire(lines[i].substring(0, colon), trimmed(lines[i].substring(colon + 1)));
      }
    }
    return headers.build();
  }

  private static String trimmed(String value) {
    int start = 0;
    int end = value.length();
    while (start < end && isSpace(value.charAt(start))) {
      start++;
    }
    while (end > start && isSpace(value.charAt(end - 1))) {
      end--;
    }
    return value.substring(start, end);
  }

  private static boolean isSpace(char character) {
    return character == ' ' || character == '\t' || character == '\r';
  }

  /** The head. */
  public RequestHead head(Instant arrival) {
    return RequestHead.parse(method(), target(), headers(), false, arrival);
  }

  /** What follows the empty line. */
  public byte[] body() {
    return body.clone();
  }
}
