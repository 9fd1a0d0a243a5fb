package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;

import io.vertx.core.json.JsonObject;

/**
 * An answer of the admin API.
 *
 * @param status of HTTP
 * @param document the body
 */
record AdminAnswer(int status, JsonObject document) {
  AdminAnswer {
    requireNonNull(document, "document is null");
  }

  static AdminAnswer ok(JsonObject document) {
    return new AdminAnswer(200, document);
  }

  static AdminAnswer created(JsonObject document) {
    return new AdminAnswer(201, document);
  }
}
