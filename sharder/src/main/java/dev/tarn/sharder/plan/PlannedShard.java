package dev.tarn.sharder.plan;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.tar.TarLayout;
import java.util.Optional;

/**
 * A shard to be written.
 *
 * @param name relative to the dataset
 * @param split which it belongs to, if the samples are split
 * @param samples how many it has
 * @param members how many the samples have
 * @param membersLength how many bytes the samples take, before the archive's end
 * @param fileBytes how many bytes the members' files have
 * @param nameBytes how many bytes the members' names have
 * @param largestSample how many bytes the largest sample takes
 */
public record PlannedShard(
    String name,
    Optional<String> split,
    int samples,
    int members,
    long membersLength,
    long fileBytes,
    long nameBytes,
    long largestSample) {
  public PlannedShard {
    requireNonNull(name, "name is null");
    requireNonNull(split, "split is null");
    if (samples < 1 || members < samples) {
      throw new IllegalArgumentException(
          name + " has " + samples + " samples of " + members + " members");
    }
  }

  /** What its index takes in memory. */
  public long indexBytes() {
    return nameBytes + (long) PlanFormat.INDEX_BYTES_PER_MEMBER * members;
  }

  /** The length of the shard, uncompressed. */
  public long length() {
    return membersLength + TarLayout.endLength(membersLength);
  }
}
