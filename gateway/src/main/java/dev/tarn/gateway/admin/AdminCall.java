package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.User;
import io.vertx.core.http.HttpServerRequest;

/**
 * A request of an admin user.
 *
 * @param user who signed
 * @param name the last part of the path, after the collection; empty for the collection itself
 * @param fields the body; no fields if there is none
 * @param request as it came
 */
record AdminCall(User user, String name, Fields fields, HttpServerRequest request) {
  AdminCall {
    requireNonNull(user, "user is null");
    requireNonNull(name, "name is null");
    requireNonNull(fields, "fields is null");
    requireNonNull(request, "request is null");
  }
}
