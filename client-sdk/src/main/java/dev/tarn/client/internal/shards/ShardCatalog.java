package dev.tarn.client.internal.shards;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * The shards of a dataset.
 *
 * @param shards in the dataset's order
 * @param digest the SHA-256 of the manifest that lists them, or of what their kept indexes say, in
 *     hexadecimal digits; without one the numbers of samples are not known
 */
public record ShardCatalog(List<ShardSource> shards, Optional<String> digest) {
  /** Checks the parts. */
  public ShardCatalog {
    shards = List.copyOf(shards);
    requireNonNull(digest, "digest is null");
  }

  /** How many samples the shards have together; only with a digest. */
  public long samples() {
    return shards.stream().mapToLong(shard -> shard.samples().orElseThrow()).sum();
  }

  /** How many samples each shard has; only with a digest. */
  public int[] counts() {
    return shards.stream()
        .mapToInt(shard -> Math.toIntExact(shard.samples().orElseThrow()))
        .toArray();
  }

  /** How many bytes the stored files have together; only with a digest. */
  public long bytes() {
    return shards.stream().mapToLong(shard -> shard.size().orElseThrow()).sum();
  }
}
