package dev.tarn.sharder.inspect;

import dev.tarn.sharder.shard.ShardPlace;
import java.util.List;

/**
 * A sample in human-readable form.
 *
 * @param key the common part of its members' names
 * @param shard the shard of the sample
 * @param members in the order of the shard
 */
public record SampleSketch(String key, ShardPlace shard, List<Member> members) {
  public SampleSketch {
    members = List.copyOf(members);
  }

  /**
   * A member of the sample.
   *
   * @param name its full name
   * @param extension in lower case
   * @param size of its data, in bytes
   * @param content its text, or a description
   */
  public record Member(String name, String extension, long size, String content) {}
}
