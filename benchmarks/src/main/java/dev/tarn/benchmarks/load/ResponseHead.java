package dev.tarn.benchmarks.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.Locale;

/** Reads the status line and the headers of an answer, split at any byte. */
final class ResponseHead {
  static final int BYTES_MAX = 16 * 1024;

  private final byte[] bytes = new byte[BYTES_MAX];
  private int length;
  private int lineStart;
  private int status;
  private long contentLength;
  private boolean chunked;
  private boolean close;

  ResponseHead() {
    reset();
  }

  void reset() {
    length = 0;
    lineStart = 0;
    status = 0;
    contentLength = -1;
    chunked = false;
    close = false;
  }

  /**
   * Consumes the bytes that belong to the head, and leaves the rest.
   *
   * @return whether the head is complete
   */
  boolean feed(ByteBuffer input) throws UnexpectedAnswerException {
    while (input.hasRemaining()) {
      if (length == BYTES_MAX) {
        throw new UnexpectedAnswerException("the answer's head exceeds " + BYTES_MAX + " bytes");
      }
      byte next = input.get();
      bytes[length++] = next;
      if (next == '\n') {
        int lineLength = length - lineStart;
        if (lineLength <= 2) {
          return true;
        }
        readLine(lineStart, lineLength);
        lineStart = length;
      }
    }
    return false;
  }

  private void readLine(int start, int lineLength) throws UnexpectedAnswerException {
    if (start == 0) {
      readStatus(lineLength);
      return;
    }
    // Only headers with these initials frame the body; no String is made for the others.
    switch (bytes[start] | 0x20) {
      case 'c', 't' -> readHeader(new String(bytes, start, lineLength, ISO_8859_1));
      default -> {}
    }
  }

  private void readStatus(int lineLength) throws UnexpectedAnswerException {
    String line = new String(bytes, 0, lineLength, ISO_8859_1).strip();
    if (!line.startsWith("HTTP/1.1 ") || line.length() < 12) {
      throw new UnexpectedAnswerException("not a status line of HTTP/1.1: " + line);
    }
    status = Integer.parseInt(line, 9, 12, 10);
  }

  private void readHeader(String line) {
    String lower = line.toLowerCase(Locale.ROOT).strip();
    if (lower.startsWith("content-length:")) {
      contentLength = Long.parseLong(lower.substring(lower.indexOf(':') + 1).strip());
    } else if (lower.startsWith("transfer-encoding:")) {
      chunked = lower.endsWith("chunked");
    } else if (lower.startsWith("connection:")) {
      close = lower.endsWith("close");
    }
  }

  int status() {
    return status;
  }

  /** The value of the first header of this name, in lower case; empty if there is none. */
  String header(String name) {
    String start = name + ":";
    return new String(bytes, 0, length, ISO_8859_1)
        .lines()
        .filter(line -> line.regionMatches(true, 0, start, 0, start.length()))
        .map(line -> line.substring(start.length()).strip())
        .findFirst()
        .orElse("");
  }

  /** The content length; -1 if there is none. */
  long contentLength() {
    return contentLength;
  }

  boolean chunked() {
    return chunked;
  }

  /** Whether the server closes the connection after this answer. */
  boolean close() {
    return close;
  }
}
