package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

/**
 * An S3 key pair. {@code toString} hides the secret.
 *
 * @param id the access key id, unique; 1 to 128 of a-z, A-Z, 0-9 and '._-', so that it fits a
 *     credential
 * @param secret the secret access key; 8 to 256 printable ASCII characters
 * @param userId the user it belongs to
 * @param createdMs in milliseconds since 1970
 */
public record AccessKey(String id, String secret, String userId, long createdMs) {
  public AccessKey {
    requireNonNull(userId, "userId is null");
    requireValid(id, secret);
  }

  /**
   * Checks a key pair.
   *
   * @throws IllegalArgumentException if the id or the secret is invalid; the message does not hold
   *     the secret
   */
  public static void requireValid(String id, String secret) {
    requireNonNull(id, "id is null");
    requireNonNull(secret, "secret is null");
    if (!id.matches("[a-zA-Z0-9._-]{1,128}")) {
      throw new IllegalArgumentException(
          "access key id is '" + id + "', must be 1 to 128 of a-z, A-Z, 0-9 and '._-'");
    }
    if (!secret.matches("[ -~]{8,256}")) {
      throw new IllegalArgumentException(
          "the secret of access key '" + id + "' must be 8 to 256 printable ASCII characters");
    }
  }

  @Override
  public String toString() {
    return "access key " + id + " of user " + userId;
  }
}
