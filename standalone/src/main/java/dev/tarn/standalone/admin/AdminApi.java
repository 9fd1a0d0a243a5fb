package dev.tarn.standalone.admin;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Asks the admin API. */
@FunctionalInterface
public interface AdminApi {
  /**
   * The answer's document.
   *
   * @throws IOException with the server's own words when it refuses
   */
  JsonObject call(String method, String path, @Nullable JsonObject document) throws IOException;
}
