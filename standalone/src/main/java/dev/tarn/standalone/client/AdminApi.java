package dev.tarn.standalone.client;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Calls the admin API. */
@FunctionalInterface
public interface AdminApi {
  /**
   * Sends a request and returns the JSON document of the answer.
   *
   * @throws IOException if there is no valid answer, or with the server's message if it rejects the
   *     request
   */
  JsonObject call(String method, String path, @Nullable JsonObject document) throws IOException;
}
