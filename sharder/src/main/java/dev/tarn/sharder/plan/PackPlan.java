package dev.tarn.sharder.plan;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.manifest.PackOptions;
import java.util.List;

/**
 * What will be packed, down to each byte's place, before the first is read. The same files and
 * options give the same plan; it is immutable, and each of its shards can be written alone, so a
 * later run, or another machine, can take up any of them.
 *
 * @param options what it was made with
 * @param shards in order
 * @param outside the names of files that belong to no sample and are left out
 */
public record PackPlan(PackOptions options, List<PlannedShard> shards, List<String> outside) {
  public PackPlan {
    requireNonNull(options, "options is null");
    shards = List.copyOf(shards);
    outside = List.copyOf(outside);
  }

  /** How many samples the shards have together. */
  public long samples() {
    return shards.stream().mapToLong(shard -> shard.samples().size()).sum();
  }

  /** How many files the shards have together. */
  public long files() {
    return shards.stream()
        .flatMap(shard -> shard.samples().stream())
        .mapToLong(sample -> sample.members().size())
        .sum();
  }

  /** How many bytes the files have together. */
  public long fileBytes() {
    return shards.stream()
        .flatMap(shard -> shard.samples().stream())
        .flatMap(sample -> sample.members().stream())
        .mapToLong(member -> member.file().size())
        .sum();
  }

  /** How many bytes the shards have together. */
  public long length() {
    return shards.stream().mapToLong(PlannedShard::length).sum();
  }
}
