package dev.tarn.shard.manifest;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.ShardFormatException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What a dataset consists of. It is written last and at once: a dataset without it is not there.
 *
 * @param encoder the encoder's name and version; another may give other bytes for the same samples
 * @param options what it was packed with
 * @param shards in order
 */
public record DatasetManifest(String encoder, PackOptions options, List<ShardEntry> shards) {
  /** The name of its file, beside the shards. */
  public static final String FILE_NAME = "dataset.json";

  public DatasetManifest {
    requireNonNull(encoder, "encoder is null");
    requireNonNull(options, "options is null");
    shards = List.copyOf(shards);
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
