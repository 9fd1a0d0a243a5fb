package dev.tarn.sharder.inspect;

import dev.tarn.sharder.shard.ShardPlace;
import java.util.List;

/**
 * A sample as people look at it.
 *
 * @param key what its members' names share
 * @param shard where it is from
 * @param members in the order of the shard
 */
public record SampleSketch(String key, ShardPlace shard, List<Member> members) {
  public SampleSketch {
    members = List.copyOf(members);
  }

  /**
   * A member of it.
   *
   * @param name all of it
   * @param extension in lower case
   * @param size of its data
   * @param content what it is: its text, or a description
   */
  public record Member(String name, String extension, long size, String content) {}
}
