package dev.tarn.shard.manifest;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.ShardFormatException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * The manifest of a dataset. It is written last and atomically: without it, there is no dataset.
 *
 * @param packs the runs that made the shards, in order
 * @param classes the file that numbers the classes, if the labels have known classes
 * @param shards in order
 */
public record DatasetManifest(
    List<PackEntry> packs, Optional<FileEntry> classes, List<ShardEntry> shards) {
  /** The name of the manifest's file, beside the shards. */
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
   * Parses a manifest.
   *
   * @param source its name in messages
   * @throws ShardFormatException if it is not a manifest, has another version, or requires unknown
   *     features
   */
  public static DatasetManifest parse(String source, byte[] json) throws ShardFormatException {
    return new ManifestParser(source, json).parse();
  }

  /** Returns the file's bytes; the same manifest always gives the same bytes. */
  public byte[] toJson() {
    return ManifestWriter.write(this);
  }

  /** Returns the SHA-256 of the file's bytes, which identifies the dataset. */
  public Sha256 digest() {
    return Sha256.digest(ByteBuffer.wrap(toJson()));
  }

  /** Returns the number of samples in all shards. */
  public long samples() {
    return shards.stream().mapToLong(ShardEntry::samples).sum();
  }

  /** Returns the number of members in all samples. */
  public long members() {
    return shards.stream().mapToLong(ShardEntry::members).sum();
  }

  /** Returns the total size of the stored shards in bytes. */
  public long size() {
    return shards.stream().mapToLong(ShardEntry::size).sum();
  }
}
