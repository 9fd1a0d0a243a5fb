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
 * @param active whether it signs requests; a disabled pair is refused as if it did not exist
 */
public record AccessKey(String id, String secret, String userId, long createdMs, boolean active) {
  public AccessKey {
    requireNonNull(userId, "userId is null");
    requireValid(id, secret);
  }

  /** An active key pair. */
  public AccessKey(String id, String secret, String userId, long createdMs) {
    this(id, secret, userId, createdMs, true);
  }

  /** The same key pair, active or disabled. */
  public AccessKey withActive(boolean isActive) {
    return new AccessKey(id, secret, userId, createdMs, isActive);
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
