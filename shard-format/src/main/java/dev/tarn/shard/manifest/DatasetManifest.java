package dev.tarn.shard.manifest;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.ShardFormatException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * What a dataset consists of. It is written last and at once: a dataset without it is not there.
 *
 * @param packs the runs that made the shards, in order
 * @param classes the file that numbers the classes, if the labels were made of folders' names
 * @param shards in order
 */
public record DatasetManifest(
    List<PackEntry> packs, Optional<FileEntry> classes, List<ShardEntry> shards) {
  /** The name of its file, beside the shards. */
  public static final String FILE_NAME = "dataset.json";

  public DatasetManifest {
    packs = List.copyOf(packs);
    requireNonNull(classes, "classes is null");
    shards = List.copyOf(shards);
    long packed = packs.stream().mapToLong(PackEntry::shards).sum();
    if (packed != shards.size()) {
      throw new IllegalArgumentException(
          "the packs made " + packed + " shards together, the dataset has " + shards.size());
    }
  }

  /**
   * Reads a manifest.
   *
   * @param source its name in messages
   * @throws ShardFormatException if it is none, of another version, or requires unknown features
   */
  public static DatasetManifest parse(String source, byte[] json) throws ShardFormatException {
    return new ManifestParser(source, json).parse();
  }

  /** The file's bytes: always the same for the same manifest. */
  public byte[] toJson() {
    return ManifestWriter.write(this);
  }

  /** The SHA-256 of the file's bytes, which names the dataset. */
  public Sha256 digest() {
    return Sha256.digest(ByteBuffer.wrap(toJson()));
  }

  /** How many samples the shards have together. */
  public long samples() {
    return shards.stream().mapToLong(ShardEntry::samples).sum();
  }

  /** How many members the samples have together. */
  public long members() {
    return shards.stream().mapToLong(ShardEntry::members).sum();
  }

  /** How many bytes the shards have together. */
  public long size() {
    return shards.stream().mapToLong(ShardEntry::size).sum();
  }
}
