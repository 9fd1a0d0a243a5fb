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
 * A shard that has an index.
 *
 * @param place of the shard and its index
 * @param isNew whether this run made the index
 * @param size of the stored shard in bytes
 * @param compression of the stored shard
 * @param samples the number of samples
 * @param members the number of members in all samples
 * @param crc32c of the stored shard
 * @param samplesSha256 the SHA-256 of the samples' digests
 * @param indexSize of the index's file in bytes
 * @param indexSha256 of the index's file
 * @param daliObstacle why a requested DALI index was not made
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
   * Creates it from an index.
   *
   * @param bytes of the index's file
   * @param daliObstacle why a requested DALI index was not made
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
   * Returns its manifest entry.
   *
   * @param folder of the manifest, the shard and its index
   * @param split the split of the dataset that it belongs to
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

  /** Returns whether the index matches the shard's manifest entry; true if there is no entry. */
  public boolean isStated() {
    return place.entry().map(entry -> entry.index().sha256().equals(indexSha256)).orElse(true);
  }
}
