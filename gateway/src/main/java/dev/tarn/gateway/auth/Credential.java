package dev.tarn.gateway.auth;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.AccessKey;
import dev.tarn.cluster.control.User;

/**
 * A key pair and its user.
 *
 * @param key the pair
 * @param user who signs with it
 */
public record Credential(AccessKey key, User user) {
  public Credential {
    requireNonNull(key, "key is null");
    requireNonNull(user, "user is null");
  }
}
