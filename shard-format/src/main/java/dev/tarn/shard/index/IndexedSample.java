package dev.tarn.shard.index;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * A sample in the index.
 *
 * @param key the common part of its members' names
 * @param members in the order of the shard
 */
public record IndexedSample(String key, List<IndexedMember> members) {
  public IndexedSample {
    requireNonNull(key, "key is null");
    members = List.copyOf(members);
  }

  /** Returns the total size of its members in bytes. */
  public long size() {
    return members.stream().mapToLong(IndexedMember::size).sum();
  }
}
