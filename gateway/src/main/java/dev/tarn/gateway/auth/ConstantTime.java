package dev.tarn.gateway.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;

/**
 * Compares a client's value with the expected value. Every verifier uses this comparison. A
 * comparison that stops at the first difference would reveal by its duration how much of a guess is
 * right.
 */
public final class ConstantTime {
  private ConstantTime() {}

  /** Whether the two are equal; the duration does not reveal where they differ. */
  public static boolean equal(String expected, String provided) {
    return MessageDigest.isEqual(expected.getBytes(UTF_8), provided.getBytes(UTF_8));
  }
}
