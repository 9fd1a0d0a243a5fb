package dev.tarn.sharder.plan;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.tar.TarLayout;
import java.util.Optional;

/**
 * A shard to be written.
 *
 * @param name relative to the dataset
 * @param split the shard's split, if the samples are split
 * @param samples the number of samples
 * @param members the number of members in all samples
 * @param membersLength the length of the samples without the archive's end, in bytes
 * @param fileBytes the total size of the members' files, in bytes
 * @param nameBytes the total length of the members' names, in bytes
 * @param largestSample the length of the largest sample, in bytes
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

  /** Returns the memory that its index takes, in bytes. */
  public long indexBytes() {
    return nameBytes + (long) PlanFormat.INDEX_BYTES_PER_MEMBER * members;
  }

  /** Returns the length of the uncompressed shard, in bytes. */
  public long length() {
    return membersLength + TarLayout.endLength(membersLength);
  }
}
