package dev.tarn.client.internal.shards;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * The shards of a dataset.
 *
 * @param shards in the dataset's order
 * @param digest SHA-256 in hexadecimal digits, of the manifest or of the kept indexes; empty if the
 *     numbers of samples are unknown
 */
public record ShardCatalog(List<ShardSource> shards, Optional<String> digest) {
  /** Checks the parts. */
  public ShardCatalog {
    shards = List.copyOf(shards);
    requireNonNull(digest, "digest is null");
  }

  /** The number of all samples; only with a digest. */
  public long samples() {
    return shards.stream().mapToLong(shard -> shard.samples().orElseThrow()).sum();
  }

  /** The number of samples in each shard; only with a digest. */
  public int[] counts() {
    return shards.stream()
        .mapToInt(shard -> Math.toIntExact(shard.samples().orElseThrow()))
        .toArray();
  }

  /** The length of all stored files in bytes; only with a digest. */
  public long bytes() {
    return shards.stream().mapToLong(shard -> shard.size().orElseThrow()).sum();
  }
}
