package dev.tarn.sharder.plan;

import java.util.Optional;

/**
 * The shards of one pattern and one split, which have numbers of their own.
 *
 * @param suffix behind the pattern's names
 */
record ShardSet(Optional<String> split, ShardPattern pattern, String suffix) {
  String name(int number) {
    return split.map(folder -> folder + "/").orElse("") + pattern.name(number) + suffix;
  }
}
