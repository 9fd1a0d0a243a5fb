package dev.tarn.client.storage;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * S3 credentials. Their text form holds no secret.
 *
 * @param accessKey the public id of the pair
 * @param secretKey the key that signs
 * @param sessionToken of temporary credentials
 */
public record AccessKeys(String accessKey, String secretKey, Optional<String> sessionToken) {
  /** Checks the parts. */
  public AccessKeys {
    requireNonNull(accessKey, "accessKey is null");
    requireNonNull(secretKey, "secretKey is null");
    requireNonNull(sessionToken, "sessionToken is null");
    if (accessKey.isEmpty() || secretKey.isEmpty()) {
      throw new IllegalArgumentException("access key or secret key is empty, expected both");
    }
  }

  /** A permanent pair. */
  public static AccessKeys of(String accessKey, String secretKey) {
    return new AccessKeys(accessKey, secretKey, Optional.empty());
  }

  @Override
  public String toString() {
    return "AccessKeys[%s]".formatted(accessKey);
  }
}
