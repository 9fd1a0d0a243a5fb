package dev.tarn.standalone.config;

import com.fasterxml.jackson.core.JsonParser;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All that is wrong with the settings, so that one start reports everything. A section with a wrong
 * value is not judged as a whole: its constructor would complain about the value that is not there.
 */
final class Problems {
  private final Keys known;
  private final Set<String> keys = new HashSet<>();
  private final List<String> messages = new ArrayList<>();

  Problems(Keys known) {
    this.known = known;
  }

  List<String> messages() {
    return messages;
  }

  void add(String key, String message) {
    keys.add(key);
    messages.add(message);
  }

  /** A key without a default has no value. */
  void missing(String key) {
    if (!keys.contains(key)) {
      add(key, key + " is missing; it must be " + known.expectation(key));
    }
  }

  /** The constructor of a section's record refused its components. */
  void refused(String section, Class<?> type, String message) {
    if (keys.stream().noneMatch(key -> Settings.isWithin(key, section))) {
      add(section, (section.isEmpty() ? "" : section + ": ") + withKeys(type, message));
    }
  }

  /** A record's own message, which names its components, with the keys in place of the names. */
  private static String withKeys(Class<?> type, String message) {
    String named = message;
    for (RecordComponent component : type.getRecordComponents()) {
      String key = ComponentName.of(component.getName()).key();
      named = named.replaceAll("\\b" + component.getName() + "\\b", key);
    }
    return named;
  }

  /** The key of what a parser reads. */
  static String key(JsonParser in) {
    return in.getParsingContext()
        .pathAsPointer()
        .toString()
        .replaceAll("/(\\d+)(?=/|$)", "[$1]")
        .replaceFirst("^/", "")
        .replace('/', '.');
  }
}
