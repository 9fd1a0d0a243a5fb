package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

/**
 * A key pair. Its text form hides the secret.
 *
 * @param id the access key id, unique
 * @param secret the secret access key
 * @param userId the user it belongs to
 * @param createdMs in milliseconds since 1970
 */
public record AccessKey(String id, String secret, String userId, long createdMs) {
  public AccessKey {
    requireNonNull(id, "id is null");
    requireNonNull(secret, "secret is null");
    requireNonNull(userId, "userId is null");
  }

  @Override
  public String toString() {
    return "access key " + id + " of user " + userId;
  }
}
