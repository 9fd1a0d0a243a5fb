package dev.tarn.client.internal.shards;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.FileEntry;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.shard.name.ShardSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Finds the shards of a dataset, by any of the ways to name them. */
public final class ShardSources {
  private static final int MANIFEST_BYTES_MAX = 1 << 30;

  private ShardSources() {}

  /**
   * The shards in a manifest.
   *
   * @param url of the manifest, or of its folder
   */
  public static ShardCatalog ofManifest(Storage storage, StorageUrl url) throws IOException {
    StorageUrl file = manifestFile(url);
    byte[] json;
    try {
      json = storage.readAll(file, MANIFEST_BYTES_MAX);
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.MISSING && !e.isBucketMissing()) {
        throw new StorageException(
            e.kind(),
            file,
            "no manifest there: a dataset without a manifest is incomplete; name its shards to read"
                + " them as they are"
                + NameHint.ofManifest(url),
            e);
      }
      throw e;
    }
    StorageUrl folder = file.parent();
    DatasetManifest manifest = DatasetManifest.parse(file.printable(), json);
    for (ShardEntry shard : manifest.shards()) {
      if (shard.samples() > Integer.MAX_VALUE) {
        throw new ShardFormatException(
            file.printable(),
            0,
            "shard %s has %d samples, expected %d at most"
                .formatted(shard.name(), shard.samples(), Integer.MAX_VALUE));
      }
    }
    return new ShardCatalog(
        manifest.shards().stream().map(shard -> of(folder, shard)).toList(),
        Optional.of(Sha256.digest(ByteBuffer.wrap(json)).hex()));
  }

  /** The URL of a manifest, given that or the URL of its folder. */
  static StorageUrl manifestFile(StorageUrl url) {
    return url.name().endsWith(".json") ? url : url.child(DatasetManifest.FILE_NAME);
  }

  /**
   * The shards that a spec names: braces as in bash, several specs joined by {@code ::}.
   *
   * @throws IllegalArgumentException if the spec is malformed or names no shard
   */
  public static ShardCatalog ofSpec(String spec) {
    return ofUrls(ShardSpec.expand(spec));
  }

  /** The shards with these URLs, in this order. */
  public static ShardCatalog ofUrls(List<String> urls) {
    return new ShardCatalog(
        urls.stream().map(url -> ShardSource.of(StorageUrl.parse(url))).toList(), Optional.empty());
  }

  private static ShardSource of(StorageUrl folder, ShardEntry shard) {
    FileEntry index = shard.index();
    Optional<ShardSource.IndexFile> file =
        index.size() > Integer.MAX_VALUE
            ? Optional.empty()
            : Optional.of(
                new ShardSource.IndexFile(folder.child(index.name()), (int) index.size(), false));
    return new ShardSource(
        folder.child(shard.name()),
        OptionalLong.of(shard.size()),
        OptionalLong.of(shard.samples()),
        file,
        Optional.empty());
  }
}
