package dev.tarn.benchmarks.load;

import java.io.IOException;
import java.util.OptionalLong;

/**
 * The expected answer to a request.
 *
 * @param length the length of the body in bytes, or of the body that HEAD omits; empty for any
 * @param crc32c the CRC32C of the body
 */
public record Expectation(int status, OptionalLong length, OptionalLong crc32c) {
  public Expectation {
    if (status < 100 || status > 599) {
      throw new IllegalArgumentException("status must be from 100 to 599: " + status);
    }
  }

  public static Expectation status(int status) {
    return new Expectation(status, OptionalLong.empty(), OptionalLong.empty());
  }

  public static Expectation body(long length, long crc32c) {
    return new Expectation(200, OptionalLong.of(length), OptionalLong.of(crc32c));
  }

  /**
   * Compares an answer with this.
   *
   * @param text the answer's body, or its beginning, for the message
   * @throws IOException if the answer is another
   */
  void check(int answered, long bytes, long crc, String text) throws IOException {
    if (answered != status) {
      throw new IOException("status %d instead of %d: %s".formatted(answered, status, text));
    }
    if (length.isPresent() && bytes != length.orElseThrow()) {
      throw new IOException("%d bytes instead of %d".formatted(bytes, length.orElseThrow()));
    }
    if (crc32c.isPresent() && crc != crc32c.orElseThrow()) {
      throw new IOException("the body's CRC32C is wrong");
    }
  }
}
