package dev.tarn.gateway.auth;

import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * What judging a signature needs and what is dear to make anew: a text buffer, a digest and a MAC
 * for each thread.
 */
final class Scratch {
  private static final ThreadLocal<Scratch> OF_THREAD = ThreadLocal.withInitial(Scratch::new);

  private final CanonicalText text = new CanonicalText();
  private final MessageDigest sha256;
  private final Mac hmacSha256;
  private @Nullable SecretKey keyOfHmac;

  private Scratch() {
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
      hmacSha256 = Mac.getInstance("HmacSHA256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("the JDK lacks an algorithm that it must have", e);
    }
  }

  static Scratch ofThread() {
    return OF_THREAD.get();
  }

  /** The buffer, empty. */
  CanonicalText text() {
    return text.clear();
  }

  byte[] sha256(CanonicalText hashed) {
    sha256.update(hashed.array(), 0, hashed.length());
    return sha256.digest();
  }

  byte[] hmac(SecretKey key, CanonicalText signed) {
    if (!key.equals(keyOfHmac)) {
      use(key);
    }
    hmacSha256.update(signed.array(), 0, signed.length());
    return hmacSha256.doFinal();
  }

  /** The same key signs request after request; the MAC keeps what it has made of it. */
  private void use(SecretKey key) {
    keyOfHmac = null;
    try {
      hmacSha256.init(key);
    } catch (InvalidKeyException e) {
      throw new IllegalStateException("a signing key is not fit for HMAC", e);
    }
    keyOfHmac = key;
  }
}
