package dev.tarn.sharder.plan;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.tar.TarLayout;

/**
 * A shard to be written.
 *
 * @param name relative to the dataset
 * @param from the plan's number of its first member
 * @param to the plan's number of the member behind its last
 * @param samples how many it has
 * @param membersLength how many bytes the samples take, before the archive's end
 */
public record PlannedShard(String name, int from, int to, int samples, long membersLength) {
  public PlannedShard {
    requireNonNull(name, "name is null");
  }

  /** How many members its samples have. */
  public int members() {
    return to - from;
  }

  /** The length of the shard's file. */
  public long length() {
    return membersLength + TarLayout.endLength(membersLength);
  }
}
