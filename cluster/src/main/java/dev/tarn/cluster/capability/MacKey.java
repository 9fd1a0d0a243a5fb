package dev.tarn.cluster.capability;

import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * HMAC-SHA256 with one secret. Each thread keeps its own instance, because creating one costs more
 * than a use.
 */
final class MacKey {
  private static final String ALGORITHM = "HmacSHA256";

  private final ThreadLocal<Mac> mac;

  MacKey(byte[] secret) {
    SecretKeySpec key = new SecretKeySpec(secret, ALGORITHM);
    mac = ThreadLocal.withInitial(() -> start(key));
  }

  byte[] sign(byte[] message) {
    return mac.get().doFinal(message);
  }

  private static Mac start(SecretKeySpec key) {
    try {
      Mac started = Mac.getInstance(ALGORITHM);
      started.init(key);
      return started;
    } catch (NoSuchAlgorithmException | InvalidKeyException impossible) {
      throw new IllegalStateException("this JDK has no " + ALGORITHM, impossible);
    }
  }
}
