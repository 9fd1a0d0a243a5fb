package dev.tarn.gateway.policy;

import dev.tarn.cluster.control.User;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The principals that a statement applies to.
 *
 * @param everybody whether all callers are named, also anonymous ones
 * @param users ids or names
 * @param negated whether the statement applies to all others instead
 */
record Principals(boolean everybody, Set<String> users, boolean negated) {
  Principals {
    users = Set.copyOf(users);
  }

  boolean include(@Nullable User user) {
    boolean named =
        everybody || (user != null && (users.contains(user.id()) || users.contains(user.name())));
    return named != negated;
  }

  /** Whether callers are included whom nothing names. */
  boolean includeUnnamed() {
    return everybody != negated;
  }
}
