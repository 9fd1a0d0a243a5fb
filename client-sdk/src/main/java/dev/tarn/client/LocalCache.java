package dev.tarn.client;

import dev.tarn.client.cache.CacheFolder;
import dev.tarn.client.cache.CachedStorage;
import dev.tarn.client.cache.KeptFiles;
import dev.tarn.client.index.KeptIndexes;
import dev.tarn.client.index.KeptKeys;
import dev.tarn.client.shards.ShardCatalog;
import dev.tarn.client.shards.ShardSource;
import dev.tarn.client.shards.ShardSource.IndexFile;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a dataset keeps on this machine: indexes of shards that come without, and bytes as far as
 * there is room for them.
 */
final class LocalCache implements AutoCloseable {
  /** Of indexes that no open dataset needs: those of some tens of millions of samples. */
  private static final long FILES_BYTES_MAX = 4L << 30;

  private final KeptFiles files;
  private final Storage storage;
  private final Optional<CachedStorage> cached;

  private LocalCache(KeptFiles files, Storage storage, Optional<CachedStorage> cached) {
    this.files = files;
    this.storage = cached.isPresent() ? cached.orElseThrow() : storage;
    this.cached = cached;
  }

  /**
   * Opens a cache.
   *
   * @param bytesMax how many bytes of shards are kept
   * @param catalogs whose shards and indexes are not thrown out until this is closed
   */
  static LocalCache open(Path path, long bytesMax, Storage storage, List<ShardCatalog> catalogs)
      throws IOException {
    CacheFolder folder = CacheFolder.open(path);
    List<StorageUrl> needed = new ArrayList<>();
    for (ShardCatalog catalog : catalogs) {
      for (ShardSource shard : catalog.shards()) {
        needed.add(shard.url());
        shard.index().map(IndexFile::url).ifPresent(needed::add);
      }
    }
    return new LocalCache(
        new KeptFiles(folder, "indexes", FILES_BYTES_MAX),
        storage,
        bytesMax == 0
            ? Optional.empty()
            : Optional.of(new CachedStorage(storage, folder, bytesMax, needed)));
  }

  /** The storage, read by way of the cache. */
  Storage storage() {
    return storage;
  }

  /** The same shards, with indexes. */
  ShardCatalog indexed(ShardCatalog catalog, int connections) throws IOException {
    return catalog.digest().isPresent()
        ? catalog
        : new KeptIndexes(storage, files).complete(catalog.shards(), connections);
  }

  /** Where the keys of these shards' samples are kept; nowhere if they have no indexes. */
  Optional<KeptKeys> keys(List<ShardCatalog> catalogs) {
    return catalogs.stream().allMatch(catalog -> catalog.digest().isPresent())
        ? Optional.of(
            new KeptKeys(
                files, catalogs.stream().map(catalog -> catalog.digest().orElseThrow()).toList()))
        : Optional.empty();
  }

  /** An epoch begins: what was replaced since the last one is seen. */
  void beginEpoch() {
    cached.ifPresent(CachedStorage::lookAgain);
  }

  @Override
  public void close() {
    cached.ifPresent(CachedStorage::close);
    files.close();
  }
}
