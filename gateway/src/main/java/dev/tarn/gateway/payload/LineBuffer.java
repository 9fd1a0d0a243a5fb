package dev.tarn.gateway.payload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import java.nio.ByteBuffer;

/** Collects one line of the framing at a time from pieces of any length. */
final class LineBuffer {
  private static final int LINE_BYTES_MAX = 1024;

  private final byte[] bytes = new byte[LINE_BYTES_MAX];
  private int length;

  /**
   * Reads bytes up to the next line feed, inclusive. {@link #line} then returns the line.
   *
   * @return whether the line is complete; otherwise the whole piece is consumed
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

  /** Returns the complete line without its line feed, and starts the next line. */
  String line() {
    String line = new String(bytes, 0, length, ISO_8859_1);
    length = 0;
    return line;
  }

  /** Whether no byte of a next line has been read. */
  boolean isEmpty() {
    return length == 0;
  }
}
