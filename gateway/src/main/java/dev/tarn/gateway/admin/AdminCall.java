package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.User;

/**
 * A request of an admin user.
 *
 * @param user who signed
 * @param name the last part of the path, after the collection; empty for the collection itself
 * @param fields the body; no fields if there is none
 */
record AdminCall(User user, String name, Fields fields) {
  AdminCall {
    requireNonNull(user, "user is null");
    requireNonNull(name, "name is null");
    requireNonNull(fields, "fields is null");
  }
}
