package dev.tarn.sharder.plan;

import dev.tarn.shard.manifest.ShardPattern;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The shards of one pattern and one split, which have numbers of their own.
 *
 * @param suffix behind the pattern's names
 */
record ShardSet(Optional<String> split, ShardPattern pattern, String suffix) {
  String name(int number) {
    return folder() + pattern.name(number) + suffix;
  }

  private String folder() {
    return split.map(name -> name + "/").orElse("");
  }

  /** The first number that is above those of all shards of the set among others. */
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
