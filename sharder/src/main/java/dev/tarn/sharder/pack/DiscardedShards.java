package dev.tarn.sharder.pack;

import java.util.List;

/**
 * The shards that were deleted because the plan that made them is replaced.
 *
 * @param names relative to the dataset
 */
public record DiscardedShards(List<String> names) {
  public DiscardedShards {
    names = List.copyOf(names);
  }

  /**
   * Returns a message: how many they are, and the first names.
   *
   * @param plan what made them
   */
  public String message(String plan) {
    return "discarded %,d %s of %s: %s"
        .formatted(
            names.size(), names.size() == 1 ? "shard" : "shards", plan, ShardNames.print(names));
  }
}
