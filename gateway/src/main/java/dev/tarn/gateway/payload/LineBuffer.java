package dev.tarn.gateway.payload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import java.nio.ByteBuffer;

/** Gathers one line of the framing at a time from pieces that end anywhere. */
final class LineBuffer {
  private static final int LINE_BYTES_MAX = 1024;

  private final byte[] bytes = new byte[LINE_BYTES_MAX];
  private int length;

  /**
   * Takes bytes up to and with the next line feed. After a whole line, {@link #line} gives it.
   *
   * @return whether a line is whole; otherwise the piece is used up
   * @throws S3Exception InvalidRequest if the line is too long
   */
  boolean take(ByteBuffer piece) {
    while (piece.hasRemaining()) {
      byte next = piece.get();
      if (next == '\n') {
        return true;
      }
      if (length == LINE_BYTES_MAX) {
        throw S3Exception.of(
            S3ErrorCode.INVALID_REQUEST,
            "The framing of the chunked body has a line of more than "
                + LINE_BYTES_MAX
                + " bytes.");
      }
      bytes[length++] = next;
    }
    return false;
  }

  /** The whole line without its line feed, which begins the next. */
  String line() {
    String line = new String(bytes, 0, length, ISO_8859_1);
    length = 0;
    return line;
  }

  /** Whether no line is begun. */
  boolean isEmpty() {
    return length == 0;
  }
}
