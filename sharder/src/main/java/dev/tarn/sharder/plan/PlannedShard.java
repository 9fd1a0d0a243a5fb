package dev.tarn.sharder.plan;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.tar.TarLayout;
import java.util.List;

/**
 * A shard to be written.
 *
 * @param name relative to the dataset
 * @param samples in order
 * @param membersLength how many bytes the samples take, before the archive's end
 */
public record PlannedShard(String name, List<PlannedSample> samples, long membersLength) {
  public PlannedShard {
    requireNonNull(name, "name is null");
    samples = List.copyOf(samples);
  }

  /** The length of the shard's file. */
  public long length() {
    return membersLength + TarLayout.endLength(membersLength);
  }
}
