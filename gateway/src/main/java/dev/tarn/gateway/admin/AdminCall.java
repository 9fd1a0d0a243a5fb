package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.User;

/**
 * A request of an admin user.
 *
 * @param user who asks
 * @param name what the path names behind the collection; empty for the collection itself
 * @param fields the body; no fields where there was none
 */
record AdminCall(User user, String name, Fields fields) {
  AdminCall {
    requireNonNull(user, "user is null");
    requireNonNull(name, "name is null");
    requireNonNull(fields, "fields is null");
  }
}
