package dev.tarn.client.internal.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.tarn.client.internal.cache.KeptFiles;
import dev.tarn.client.internal.shards.ShardCatalog;
import dev.tarn.client.internal.shards.ShardSource;
import dev.tarn.client.scan.ShardScan;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.TemporaryFile;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.manifest.Sha256;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Makes and keeps indexes of shards that have none. Each index is made by one read of its shard,
 * and kept by the shard's URL, ETag and size in the SDK's own folder, never beside the shard.
 * Processes that share the folder share that work.
 */
public final class KeptIndexes {
  private static final Logger LOG = System.getLogger("dev.tarn.client.cache");

  private final Storage storage;
  private final KeptFiles files;
  private final AtomicBoolean isSaid = new AtomicBoolean();

  /**
   * Keeps indexes among these files.
   *
   * @param storage of the shards
   */
  public KeptIndexes(Storage storage, KeptFiles files) {
    this.storage = requireNonNull(storage, "storage is null");
    this.files = requireNonNull(files, "files is null");
  }

  /**
   * Returns the same shards with indexes, and a digest of their contents. Shards without a kept
   * index are read whole. The indexes stay until the files are closed.
   *
   * @param threads how many shards are looked up or read at a time
   * @throws IOException if a shard cannot be read, or has no version
   */
  public ShardCatalog complete(List<ShardSource> shards, int threads) throws IOException {
    ShardSource[] indexed = new ShardSource[shards.size()];
    String[] lines = new String[shards.size()];
    String[] names = new String[shards.size()];
    Set<String> missing;
    do {
      IndexTasks.run(
          shards.size(),
          threads,
          number -> {
            Kept kept = keep(shards.get(number));
            names[number] = name(kept.shard());
            indexed[number] = kept.source(files.path(names[number]));
            lines[number] = kept.line();
          });
      missing = files.need(Arrays.asList(names));
    } while (!missing.isEmpty());
    ByteBuffer all = UTF_8.encode(String.join("", lines));
    return new ShardCatalog(Arrays.asList(indexed), Optional.of(Sha256.digest(all).hex()));
  }

  /** A shard with a kept index. */
  private record Kept(StoredObject shard, int length, ShardIndex index) {
    ShardSource source(Path file) {
      StorageUrl url = new StorageUrl(StorageUrl.Scheme.FILE, "", file.toString());
      return new ShardSource(
          shard.url(),
          OptionalLong.of(shard.size()),
          OptionalLong.of(index.sampleCount()),
          Optional.of(new ShardSource.IndexFile(url, length, true)),
          Optional.ofNullable(shard.etag()));
    }

    /** The contents of the shard, wherever it is stored: a copy elsewhere is the same dataset. */
    String line() {
      return "%d %08x %d %s\n"
          .formatted(
              index.storedLength(),
              index.storedCrc32c(),
              index.sampleCount(),
              Sha256.of(index.samplesSha256()));
    }
  }

  private Kept keep(ShardSource shard) throws IOException {
    StoredObject found = find(shard);
    return files.get(name(found), file -> read(found, file), () -> make(shard.url()));
  }

  private StoredObject find(ShardSource shard) throws IOException {
    try {
      return storage.stat(shard.url());
    } catch (StorageException e) {
      throw shard.explained(e);
    }
  }

  private Kept make(StorageUrl shard) throws IOException {
    if (isSaid.compareAndSet(false, true)) {
      LOG.log(
          Level.INFO,
          "shard {0} and others have no index yet; each of them is read once, and its index is"
              + " cached",
          shard.printable());
    }
    ShardScan.Indexed made =
        ShardScan.index(storage, shard, TemporaryFile.FOLDER, (members, bytes) -> {});
    // The shard may have been replaced since it was looked up: its index is kept for the version
    // that was read.
    String name = name(made.shard());
    try {
      files.write(name, made.file().duplicate());
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(
          "the index of shard %s cannot be kept in %s: %s; make room there, or name another folder"
              .formatted(shard.printable(), files.folder(), e.getMessage()),
          e);
    }
    return new Kept(made.shard(), made.file().limit(), ShardIndex.of(name, made.file()));
  }

  /** Reads a kept index; empty if there is none, or it is damaged. */
  private static Optional<Kept> read(StoredObject shard, Path file) throws IOException {
    try {
      byte[] bytes = Files.readAllBytes(file);
      ShardIndex index = ShardIndex.of(file.toString(), ByteBuffer.wrap(bytes));
      index.verify();
      return index.storedLength() == shard.size()
          ? Optional.of(new Kept(shard, bytes.length, index))
          : Optional.empty();
    } catch (ShardFormatException e) {
      return Optional.empty();
    }
  }

  private static String name(StoredObject shard) throws StorageException {
    String etag = shard.etag();
    if (etag == null) {
      throw new StorageException(
          StorageException.Kind.INVALID,
          shard.url(),
          "it has no ETag, so a cached index cannot be matched with its bytes; use this dataset"
              + " without a cache, or with its manifest");
    }
    String version = "%s\n%s\n%d".formatted(shard.url().unsigned(), etag, shard.size());
    return Sha256.digest(UTF_8.encode(version)).hex() + ShardIndex.SUFFIX;
  }
}
