package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.AccessKey;
import java.security.SecureRandom;

/** Creates the ids and secrets that commands carry. */
public final class Identities {
  private static final String KEY_ID_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  private static final String SECRET_CHARACTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  private static final String USER_ID_CHARACTERS = "abcdefghijklmnopqrstuvwxyz234567";
  private static final String KEY_ID_PREFIX = "TARN";
  private static final int KEY_ID_LENGTH = 16;
  private static final int SECRET_LENGTH = 40;
  private static final int USER_ID_LENGTH = 16;

  private final SecureRandom random;

  /** Creates them from this random source. */
  public Identities(SecureRandom random) {
    this.random = requireNonNull(random, "random is null");
  }

  /** A random id; no user has had it. */
  public String userId() {
    return draw("u", USER_ID_CHARACTERS, USER_ID_LENGTH);
  }

  /** A new key pair. */
  public AccessKey accessKey(String userId, long nowMs) {
    return new AccessKey(
        draw(KEY_ID_PREFIX, KEY_ID_CHARACTERS, KEY_ID_LENGTH),
        draw("", SECRET_CHARACTERS, SECRET_LENGTH),
        userId,
        nowMs);
  }

  private String draw(String prefix, String characters, int length) {
    StringBuilder text = new StringBuilder(prefix);
    for (int i = 0; i < length; i++) {
      text.append(characters.charAt(random.nextInt(characters.length())));
    }
    return text.toString();
  }
}
