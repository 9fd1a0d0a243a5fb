package dev.tarn.client.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.tarn.client.cache.CacheFolder;
import dev.tarn.client.cache.HeldFile;
import dev.tarn.client.scan.NamelessFile;
import dev.tarn.client.scan.ShardScan;
import dev.tarn.client.shards.ShardCatalog;
import dev.tarn.client.shards.ShardSource;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.manifest.Sha256;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Indexes of shards that come without: each is made by reading its shard once, and kept under the
 * shard's URL, ETag and size in a folder of the SDK's own, never beside the shard. Processes that
 * share the folder share that work.
 */
public final class KeptIndexes {
  private static final Logger LOG = System.getLogger(KeptIndexes.class.getName());
  private static final String FOLDER = "indexes";

  private final Storage storage;
  private final Path folder;
  private final AtomicBoolean isSaid = new AtomicBoolean();

  /**
   * Opens what is kept.
   *
   * @param storage where the shards are
   */
  public KeptIndexes(Storage storage, CacheFolder folder) throws IOException {
    this.storage = requireNonNull(storage, "storage is null");
    this.folder = folder.folder(FOLDER);
  }

  /**
   * The same shards with indexes, and with a digest of what they hold. Those whose index is not
   * there yet are read whole.
   *
   * @param threads how many shards are looked at, or read, at a time
   * @throws IOException if a shard cannot be read, or its version cannot be told
   */
  public ShardCatalog complete(List<ShardSource> shards, int threads) throws IOException {
    ShardSource[] indexed = new ShardSource[shards.size()];
    String[] lines = new String[shards.size()];
    ShardTasks.run(
        shards.size(),
        threads,
        number -> {
          Kept kept = keep(shards.get(number).url());
          indexed[number] = kept.source();
          lines[number] = kept.line();
        });
    ByteBuffer all = UTF_8.encode(String.join("", lines));
    return new ShardCatalog(Arrays.asList(indexed), Optional.of(Sha256.digest(all).hex()));
  }

  /** A shard whose index is in the folder. */
  private record Kept(StoredObject shard, Path file, int length, ShardIndex index) {
    ShardSource source() {
      StorageUrl url = new StorageUrl(StorageUrl.Scheme.FILE, "", file.toString());
      return new ShardSource(
          shard.url(),
          OptionalLong.of(shard.size()),
          OptionalLong.of(index.sampleCount()),
          Optional.of(new ShardSource.IndexFile(url, length, true)),
          Optional.ofNullable(shard.etag()));
    }

    /** What the shard holds, wherever it is: so a copy elsewhere is the same dataset. */
    String line() {
      return "%d %08x %d %s\n"
          .formatted(
              index.storedLength(),
              index.storedCrc32c(),
              index.sampleCount(),
              Sha256.of(index.samplesSha256()));
    }
  }

  private Kept keep(StorageUrl shard) throws IOException {
    StoredObject found = storage.stat(shard);
    Path file = file(found);
    Optional<Kept> kept = read(found, file);
    if (kept.isPresent()) {
      return kept.orElseThrow();
    }
    try (HeldFile held = HeldFile.hold(file.resolveSibling(file.getFileName() + ".lock"))) {
      try {
        kept = read(found, file);
        return kept.isPresent() ? kept.orElseThrow() : make(shard);
      } finally {
        held.delete();
      }
    }
  }

  private Kept make(StorageUrl shard) throws IOException {
    if (isSaid.compareAndSet(false, true)) {
      LOG.log(
          Level.INFO,
          "shard {0} and others have no index yet: they are read whole, once, and their indexes are"
              + " kept in {1}",
          shard.printable(),
          folder);
    }
    ShardScan.Indexed made =
        ShardScan.index(storage, shard, content -> NamelessFile.open(), (members, bytes) -> {});
    // The shard may have been replaced since it was looked up: it is kept under what was read.
    Path file = file(made.shard());
    ShardIndex index = ShardIndex.of(file.toString(), made.file());
    CacheFolder.write(file, made.file().duplicate());
    return new Kept(made.shard(), file, made.file().limit(), index);
  }

  /** What is kept; empty if nothing is, or it is damaged. */
  private static Optional<Kept> read(StoredObject shard, Path file) throws IOException {
    try {
      byte[] bytes = Files.readAllBytes(file);
      ShardIndex index = ShardIndex.of(file.toString(), ByteBuffer.wrap(bytes));
      index.verify();
      return index.storedLength() == shard.size()
          ? Optional.of(new Kept(shard, file, bytes.length, index))
          : Optional.empty();
    } catch (NoSuchFileException | ShardFormatException e) {
      return Optional.empty();
    }
  }

  private Path file(StoredObject shard) throws StorageException {
    String etag = shard.etag();
    if (etag == null) {
      throw new StorageException(
          StorageException.Kind.INVALID,
          shard.url(),
          "it has no ETag, and nothing else tells whether a kept index is of the same bytes: name"
              + " no cache for this dataset");
    }
    String version = "%s\n%s\n%d".formatted(shard.url(), etag, shard.size());
    return folder.resolve(Sha256.digest(UTF_8.encode(version)).hex() + ShardIndex.SUFFIX);
  }
}
