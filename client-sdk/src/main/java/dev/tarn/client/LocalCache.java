package dev.tarn.client;

import dev.tarn.client.internal.cache.CacheFolder;
import dev.tarn.client.internal.cache.CachedStorage;
import dev.tarn.client.internal.cache.KeptFiles;
import dev.tarn.client.internal.index.KeptIndexes;
import dev.tarn.client.internal.index.KeptKeys;
import dev.tarn.client.internal.shards.ShardCatalog;
import dev.tarn.client.internal.shards.ShardSource;
import dev.tarn.client.internal.shards.ShardSource.IndexFile;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The data that a dataset keeps on this machine: indexes of shards without a manifest, and bytes of
 * shards as far as the bound allows.
 */
final class LocalCache implements AutoCloseable {
  // Users know the dataset's class.
  private static final Logger LOG = System.getLogger(ShardDataset.class.getName());

  /** Bound of indexes that no open dataset needs; enough for some tens of millions of samples. */
  private static final long FILES_BYTES_MAX = 4L << 30;

  private final Path path;

  /** Empty if nothing can be kept. */
  private final Optional<KeptFiles> files;

  private final Storage storage;
  private final Optional<CachedStorage> cached;

  private LocalCache(
      Path path, Optional<KeptFiles> files, Storage storage, Optional<CachedStorage> cached) {
    this.path = path;
    this.files = files;
    this.storage = cached.isPresent() ? cached.orElseThrow() : storage;
    this.cached = cached;
  }

  /**
   * Opens a cache. If the disk is full, the cache keeps nothing, and logs a warning.
   *
   * @param bytesMax bound of the shards' bytes
   * @param catalogs whose shards and indexes are not evicted until this is closed
   * @throws IOException if the path cannot be a cache's folder, even on a full disk
   */
  static LocalCache open(Path path, long bytesMax, Storage storage, List<ShardCatalog> catalogs)
      throws IOException {
    try {
      return open(path, CacheFolder.open(path), bytesMax, storage, catalogs);
    } catch (IOException e) {
      if (!CacheFolder.isDiskFull(path)) {
        throw e;
      }
      CacheFolder.requireFit(path);
      LOG.log(
          Level.WARNING,
          "cache {0} is not used, because its disk is full: {1}; all data is read from the"
              + " dataset's storage",
          path,
          e.getMessage());
      return new LocalCache(path, Optional.empty(), storage, Optional.empty());
    }
  }

  private static LocalCache open(
      Path path, CacheFolder folder, long bytesMax, Storage storage, List<ShardCatalog> catalogs)
      throws IOException {
    List<StorageUrl> needed = new ArrayList<>();
    for (ShardCatalog catalog : catalogs) {
      for (ShardSource shard : catalog.shards()) {
        needed.add(shard.url());
        shard.index().map(IndexFile::url).ifPresent(needed::add);
      }
    }
    return new LocalCache(
        path,
        Optional.of(new KeptFiles(folder, "indexes", FILES_BYTES_MAX)),
        storage,
        bytesMax == 0
            ? Optional.empty()
            : Optional.of(new CachedStorage(storage, folder, bytesMax, needed)));
  }

  /** The storage, read through the cache. */
  Storage storage() {
    return storage;
  }

  /**
   * The same shards with indexes.
   *
   * @throws IOException if they have no indexes, and none can be made or kept
   */
  ShardCatalog indexed(ShardCatalog catalog, int connections) throws IOException {
    if (catalog.digest().isPresent()) {
      return catalog;
    }
    KeptFiles kept =
        files.orElseThrow(() ->
            new IOException(
                ("the indexes of shards without a manifest cannot be kept in %s: its disk is full;"
                        + " make room there, or name another folder")
                    .formatted(path)));
    return new KeptIndexes(storage, kept).complete(catalog.shards(), connections);
  }

  /** The store of the keys of these shards' samples; empty if the shards have no indexes. */
  Optional<KeptKeys> keys(List<ShardCatalog> catalogs) {
    if (catalogs.stream().anyMatch(catalog -> catalog.digest().isEmpty())) {
      return Optional.empty();
    }
    List<String> digests =
        catalogs.stream().map(catalog -> catalog.digest().orElseThrow()).toList();
    return files.map(kept -> new KeptKeys(kept, digests));
  }

  /** The storage for one epoch, which sees what was replaced since the last one; to be closed. */
  Storage beginEpoch() {
    return cached.isPresent() ? cached.orElseThrow().beginEpoch() : new SharedStorage(storage);
  }

  @Override
  public void close() {
    cached.ifPresent(CachedStorage::close);
    files.ifPresent(KeptFiles::close);
  }
}
