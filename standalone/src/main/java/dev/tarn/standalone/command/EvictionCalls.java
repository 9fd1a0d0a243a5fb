package dev.tarn.standalone.command;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;

/** Drops cached objects of a bucket, by as many calls as it takes, and counts them. */
final class EvictionCalls {
  /** The greatest number of keys in a call. */
  private static final int KEYS_MAX = 1000;

  private final AdminCommand command;
  private final String bucket;
  private long objects;
  private long bytes;

  EvictionCalls(AdminCommand command, String bucket) {
    this.command = command;
    this.bucket = bucket;
  }

  /** Drops the objects whose keys begin with this prefix. */
  JsonObject ofPrefix(String prefix) throws IOException {
    JsonObject document = new JsonObject().put("prefix", prefix);
    String next;
    do {
      next = step(document);
      document.put("after", next);
    } while (!next.isEmpty());
    return result();
  }

  /** Drops these objects. */
  JsonObject of(List<String> keys) throws IOException {
    for (int from = 0; from < keys.size(); from += KEYS_MAX) {
      List<String> some = keys.subList(from, Math.min(keys.size(), from + KEYS_MAX));
      step(new JsonObject().put("keys", new JsonArray(some)));
    }
    return result();
  }

  /** Takes a step and returns where the next one goes on. */
  private String step(JsonObject document) throws IOException {
    JsonObject step =
        command.call("POST", "/buckets" + AdminCommand.segment(bucket) + "/evict", document);
    objects += step.getLong("evicted_objects");
    bytes += step.getLong("evicted_bytes");
    return step.getString("next", "");
  }

  private JsonObject result() {
    return new JsonObject()
        .put("bucket", bucket)
        .put("evicted_objects", objects)
        .put("evicted_bytes", bytes);
  }
}
