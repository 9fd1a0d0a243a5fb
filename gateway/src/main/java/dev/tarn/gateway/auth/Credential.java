package dev.tarn.gateway.auth;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.AccessKey;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.control.User;
import org.jspecify.annotations.Nullable;

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

  /** The credential of this access key id in a control state; null if it is disabled or missing. */
  public static @Nullable Credential find(ControlState state, String accessKeyId) {
    AccessKey key = state.accessKey(accessKeyId);
    User user = key == null || !key.active() ? null : state.user(key.userId());
    return key == null || user == null ? null : new Credential(key, user);
  }
}
