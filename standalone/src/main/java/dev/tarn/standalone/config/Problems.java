package dev.tarn.standalone.config;

import com.fasterxml.jackson.core.JsonParser;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All problems of the settings: one start reports all of them. If a value of a section is wrong,
 * the failure of the section's constructor is not reported: the missing value causes it.
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

  /** Adds the problem that a setting has an unknown key: no component misses its value. */
  void addUnknown(String message) {
    messages.add(message);
  }

  void add(String key, String message) {
    keys.add(key);
    messages.add(message);
  }

  /** Adds the problem that a key without a default has no value. */
  void missing(String key) {
    if (!keys.contains(key)) {
      add(key, key + " is missing; it must be " + known.expectation(key));
    }
  }

  /** Adds the problem that the constructor of a section's record rejected its components. */
  void refused(String section, Class<?> type, String message) {
    if (keys.stream().noneMatch(key -> Settings.isWithin(key, section))) {
      add(section, (section.isEmpty() ? "" : section + ": ") + withKeys(type, message));
    }
  }

  /** Replaces the component names in a record's message by their keys. */
  private static String withKeys(Class<?> type, String message) {
    String named = message;
    for (RecordComponent component : type.getRecordComponents()) {
      String key = ComponentName.of(component.getName()).key();
      named = named.replaceAll("\\b" + component.getName() + "\\b", key);
    }
    return named;
  }

  /** The key at the parser's current position. */
  static String key(JsonParser in) {
    return in.getParsingContext()
        .pathAsPointer()
        .toString()
        .replaceAll("/(\\d+)(?=/|$)", "[$1]")
        .replaceFirst("^/", "")
        .replace('/', '.');
  }
}
