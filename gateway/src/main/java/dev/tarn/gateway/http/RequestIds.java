package dev.tarn.gateway.http;

import java.util.concurrent.ThreadLocalRandom;

/** Names of requests, by which a client's error and our log are found together. */
final class RequestIds {
  private static final char[] DIGITS = "0123456789ABCDEF".toCharArray();
  private static final int LENGTH = 16;

  private RequestIds() {}

  /** Sixteen hexadecimal digits, as S3's request ids have. */
  static String next() {
    long bits = ThreadLocalRandom.current().nextLong();
    char[] text = new char[LENGTH];
    for (int index = 0; index < LENGTH; index++) {
      text[index] = DIGITS[(int) (bits & 15)];
      bits >>>= 4;
    }
    return new String(text);
  }
}
