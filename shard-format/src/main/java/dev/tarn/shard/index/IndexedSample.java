package dev.tarn.shard.index;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * A sample as the index knows it.
 *
 * @param key what its members' names share
 * @param members in the order of the shard
 */
public record IndexedSample(String key, List<IndexedMember> members) {
  public IndexedSample {
    requireNonNull(key, "key is null");
    members = List.copyOf(members);
  }

  /** How many bytes its members have together. */
  public long size() {
    return members.stream().mapToLong(IndexedMember::size).sum();
  }
}
