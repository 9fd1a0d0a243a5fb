package dev.tarn.benchmarks.load;

import java.util.OptionalLong;

/**
 * What the answer to a request must be.
 *
 * @param length of the body in bytes, also of one that HEAD leaves out; empty: any
 * @param crc32c of the body; compared where the load asks for verified bodies
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
