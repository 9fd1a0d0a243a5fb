package dev.tarn.sharder.pack;

import java.util.Collection;
import java.util.List;

/** Names of files of a pack, as messages print them. */
final class ShardNames {
  /** Maximum number of files that a message names. */
  private static final int NAMES_MAX = 10;

  private ShardNames() {}

  /** Returns the first names in order. */
  static String print(Collection<String> names) {
    List<String> sorted = names.stream().sorted().toList();
    String first = String.join(", ", sorted.subList(0, Math.min(sorted.size(), NAMES_MAX)));
    return sorted.size() > NAMES_MAX ? first + ", ..." : first;
  }
}
