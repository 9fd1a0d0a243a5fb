package dev.tarn.client.shards;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.StorageUrl;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One shard of a dataset, as far as it is known before it is read.
 *
 * @param url where it is
 * @param size the length of the stored file, if a manifest tells
 * @param samples how many it has, if a manifest tells
 * @param index where its index is and how long, if it has one
 */
public record ShardSource(
    StorageUrl url, OptionalLong size, OptionalLong samples, Optional<IndexFile> index) {
  /**
   * A shard's index.
   *
   * @param url where it is
   * @param size the length of the file
   */
  public record IndexFile(StorageUrl url, int size) {}

  /** Checks the parts. */
  public ShardSource {
    requireNonNull(url, "url is null");
    requireNonNull(size, "size is null");
    requireNonNull(samples, "samples is null");
    requireNonNull(index, "index is null");
  }

  /** A shard of which nothing is known but where it is. */
  public static ShardSource of(StorageUrl url) {
    return new ShardSource(url, OptionalLong.empty(), OptionalLong.empty(), Optional.empty());
  }
}
