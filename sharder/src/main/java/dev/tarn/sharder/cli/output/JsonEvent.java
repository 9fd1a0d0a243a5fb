package dev.tarn.sharder.cli.output;

import dev.tarn.shard.json.JsonText;
import java.util.Map;

/** The events of {@code --json}: one ASCII JSON object per line, whose first field is its name. */
final class JsonEvent {
  private JsonEvent() {}

  /** Returns an event's line, without a line separator. */
  static String line(String event, Map<String, ?> fields) {
    Map<String, Object> named = JsonText.fields("event", event);
    named.putAll(fields);
    return JsonText.of(named);
  }
}
