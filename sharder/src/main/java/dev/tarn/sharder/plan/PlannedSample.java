package dev.tarn.sharder.plan;

import dev.tarn.shard.sample.SampleName;
import java.util.List;

/**
 * A sample: the members that share a key.
 *
 * @param members by extension, in the order of its bytes; at least one
 */
public record PlannedSample(List<PlannedMember> members) {
  public PlannedSample {
    members = List.copyOf(members);
    if (members.isEmpty()) {
      throw new IllegalArgumentException("a sample has at least one member");
    }
  }

  /** What its members' names share. */
  public String key() {
    String name = members.getFirst().name();
    return name.substring(0, SampleName.splitAt(name));
  }

  /** How many bytes it takes in its shard. */
  public long tarLength() {
    long length = 0;
    for (PlannedMember member : members) {
      length += member.tarLength();
    }
    return length;
  }
}
