package dev.tarn.standalone.config;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The name of a record's component and what it tells: words with Bytes are sizes, with Ms are
 * durations, and Secret must not be shown.
 *
 * @param words as in the source
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

  /** In lower case with hyphens; a duration carries its unit in the value instead. */
  String key() {
    return words.stream()
        .filter(word -> !word.equals("Ms"))
        .map(word -> word.toLowerCase(Locale.ROOT))
        .collect(Collectors.joining("-"));
  }
}
