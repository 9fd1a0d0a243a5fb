package dev.tarn.standalone.config;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The keys that there are, list items written as {@code cluster.targets[].id}.
 *
 * @param names in the order of the documentation
 */
public record Keys(List<String> names) {
  /** Edits up to which a wrong key is taken for a slip of the pen. */
  private static final int DISTANCE_MAX = 6;

  public Keys {
    names = List.copyOf(names);
  }

  boolean has(String key) {
    return names.contains(withoutIndexes(key));
  }

  /** Whether there are keys within it. */
  boolean isSection(String key) {
    return names.stream().anyMatch(name -> name.startsWith(withoutIndexes(key) + "."));
  }

  /** One of the keys within a section. */
  String firstWithin(String section) {
    return names.stream()
        .filter(name -> name.startsWith(withoutIndexes(section) + "."))
        .findFirst()
        .orElseThrow();
  }

  Optional<String> ofVariable(String suffix) {
    return names.stream().filter(name -> variableSuffix(name).equals(suffix)).findFirst();
  }

  static String variableSuffix(String key) {
    return key.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /** The key most like the wrong one, if one is like it at all. */
  Optional<String> nearest(String wrong) {
    String key = withoutIndexes(wrong);
    String best = "";
    int bestDistance = DISTANCE_MAX + 1;
    for (String name : names) {
      int distance = Math.min(distance(key, name), 1 + distance(lastOf(key), lastOf(name)));
      if (distance < bestDistance) {
        best = name;
        bestDistance = distance;
      }
    }
    return best.isEmpty() ? Optional.empty() : Optional.of(best);
  }

  private static String withoutIndexes(String key) {
    return key.replaceAll("\\[\\d+]", "[]");
  }

  private static String lastOf(String key) {
    return key.substring(key.lastIndexOf('.') + 1);
  }

  /** Levenshtein's: insertions, deletions and replacements of one character. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
