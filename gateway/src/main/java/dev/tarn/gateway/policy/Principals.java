package dev.tarn.gateway.policy;

import dev.tarn.cluster.control.User;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The principals that a statement applies to.
 *
 * @param everybody includes anonymous callers
 * @param users ids or names
 */
record Principals(boolean everybody, Set<String> users) {
  Principals {
    users = Set.copyOf(users);
  }

  boolean include(@Nullable User user) {
    return everybody
        || (user != null && (users.contains(user.id()) || users.contains(user.name())));
  }
}
