package dev.tarn.sharder.index;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.compression.Compression;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.index.ShardRestarts;
import dev.tarn.shard.manifest.FileEntry;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.sharder.shard.ShardPlace;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A shard that has an index now.
 *
 * @param place where both are
 * @param isNew whether the index was made just now
 * @param size of the stored shard
 * @param compression of the stored shard
 * @param samples how many it has
 * @param members how many the samples have together
 * @param crc32c of the stored shard
 * @param samplesSha256 over the samples' digests
 * @param indexSize of the index's file
 * @param indexSha256 of the index's file
 * @param daliObstacle why it has no index of DALI's, though it was to have one
 */
public record IndexedShard(
    ShardPlace place,
    boolean isNew,
    long size,
    Optional<Compression> compression,
    long samples,
    long members,
    int crc32c,
    Sha256 samplesSha256,
    long indexSize,
    Sha256 indexSha256,
    Optional<String> daliObstacle) {

  /**
   * What an index says of its shard.
   *
   * @param bytes of the index's file
   * @param daliObstacle why it has no index of DALI's, though it was to have one
   */
  static IndexedShard of(
      ShardPlace place,
      boolean isNew,
      ShardIndex index,
      ByteBuffer bytes,
      Optional<String> daliObstacle) {
    return new IndexedShard(
        place,
        isNew,
        index.storedLength(),
        index.restarts().map(ShardRestarts::compression),
        index.sampleCount(),
        index.memberCount(),
        index.storedCrc32c(),
        Sha256.of(index.samplesSha256()),
        bytes.remaining(),
        Sha256.digest(bytes.duplicate()),
        daliObstacle);
  }

  /**
   * What a manifest says of it.
   *
   * @param folder the manifest's, which holds the shard and its index
   * @param split the part of the dataset that it belongs to
   */
  ShardEntry entry(StorageUrl folder, Optional<String> split) {
    return new ShardEntry(
        place.url().nameUnder(folder),
        split,
        compression,
        size,
        samples,
        members,
        crc32c,
        samplesSha256,
        new FileEntry(place.index().nameUnder(folder), indexSize, indexSha256));
  }

  /** Whether the index is the one that the shard's manifest names, if it has one. */
  public boolean isStated() {
    return place.entry().map(entry -> entry.index().sha256().equals(indexSha256)).orElse(true);
  }
}
