package dev.tarn.shard.manifest;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.compression.Compression;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.index.ShardRestarts;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A shard of a dataset.
 *
 * @param name relative to the manifest's folder
 * @param split the part of the dataset that it belongs to, such as {@code train}
 * @param compression of the stored file
 * @param size of the stored file in bytes
 * @param samples the number of samples
 * @param members the number of members in all samples
 * @param crc32c of the stored file
 * @param samplesSha256 the SHA-256 of the samples' digests, in the shard's order
 * @param index the file of its index
 */
public record ShardEntry(
    String name,
    Optional<String> split,
    Optional<Compression> compression,
    long size,
    long samples,
    long members,
    int crc32c,
    Sha256 samplesSha256,
    FileEntry index) {
  public ShardEntry {
    FileEntry.requireRelative(name);
    requireNonNull(split, "split is null");
    requireNonNull(compression, "compression is null");
    requireNonNull(samplesSha256, "samplesSha256 is null");
    requireNonNull(index, "index is null");
    if (size <= 0 || samples < 0 || members < samples) {
      throw new IllegalArgumentException(
          "shard "
              + name
              + " of "
              + size
              + " bytes has "
              + samples
              + " samples of "
              + members
              + " members");
    }
  }

  /**
   * Returns the entry of a shard, from its index.
   *
   * @param indexFile the index's bytes; its file has the shard's name and {@link ShardIndex#SUFFIX}
   */
  public static ShardEntry of(
      String name, Optional<String> split, ShardIndex index, ByteBuffer indexFile) {
    FileEntry indexEntry =
        new FileEntry(
            name + ShardIndex.SUFFIX, indexFile.remaining(), Sha256.digest(indexFile.duplicate()));
    return new ShardEntry(
        name,
        split,
        index.restarts().map(ShardRestarts::compression),
        index.storedLength(),
        index.sampleCount(),
        index.memberCount(),
        index.storedCrc32c(),
        Sha256.of(index.samplesSha256()),
        indexEntry);
  }
}
