package dev.tarn.gateway.auth;

import dev.tarn.cluster.control.AccessKey;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.control.User;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finds key pairs. Never blocks. */
public interface CredentialSource {
  /** The current credential of this access key id, or null. */
  @Nullable Credential find(String accessKeyId);

  /** The key pairs of the newest control state. */
  static CredentialSource of(Supplier<ControlState> newest) {
    return accessKeyId -> {
      ControlState state = newest.get();
      AccessKey key = state.accessKey(accessKeyId);
      User user = key == null ? null : state.user(key.userId());
      return key == null || user == null ? null : new Credential(key, user);
    };
  }
}
