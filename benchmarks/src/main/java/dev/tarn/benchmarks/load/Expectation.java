package dev.tarn.benchmarks.load;

import java.util.OptionalLong;

/**
 * The expected answer to a request.
 *
 * @param length the length of the body in bytes, or of the body that HEAD omits; empty for any
 * @param crc32c the CRC32C of the body; compared if the load verifies bodies
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
}
