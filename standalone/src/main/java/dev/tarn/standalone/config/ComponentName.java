package dev.tarn.standalone.config;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The name of a record's component, which tells the kind of its value. The word Bytes marks a size,
 * Ms marks a duration, and a first word "secret" marks a value that must not be shown.
 *
 * @param words the words of the name as in the source
 */
record ComponentName(List<String> words) {
  ComponentName {
    words = List.copyOf(words);
  }

  static ComponentName of(String camelCase) {
    return new ComponentName(List.of(camelCase.split("(?=[A-Z])")));
  }

  boolean isSize() {
    return words.contains("Bytes") || words.contains("bytes");
  }

  boolean isMilliseconds() {
    return words.contains("Ms");
  }

  boolean isSecret() {
    return words.get(0).equals("secret");
  }

  /** The key: lower case with hyphens, without the word Ms, since the value carries the unit. */
  String key() {
    return words.stream()
        .filter(word -> !word.equals("Ms"))
        .map(word -> word.toLowerCase(Locale.ROOT))
        .collect(Collectors.joining("-"));
  }
}
