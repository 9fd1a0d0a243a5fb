package dev.tarn.sharder.plan;

import dev.tarn.shard.manifest.ShardPattern;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The shards of one pattern and one split; their numbers are independent of other sets.
 *
 * @param suffix appended to the pattern's names
 */
record ShardSet(Optional<String> split, ShardPattern pattern, String suffix) {
  String name(int number) {
    return folder() + pattern.name(number) + suffix;
  }

  private String folder() {
    return split.map(name -> name + "/").orElse("");
  }

  /** Returns the first number above those of all existing shards of the set. */
  int firstNumber(Set<String> shards) {
    Pattern names = pattern.names(folder(), suffix);
    long next = 0;
    for (String shard : shards) {
      Matcher matcher = names.matcher(shard);
      if (matcher.matches()) {
        next = Math.max(next, Long.parseLong(matcher.group(1)) + 1);
      }
    }
    return Math.toIntExact(next);
  }
}
