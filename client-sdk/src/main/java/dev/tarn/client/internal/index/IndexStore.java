package dev.tarn.client.internal.index;

import dev.tarn.client.internal.shards.ShardSource;
import dev.tarn.client.storage.LocalStorage;
import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.LruMap;
import dev.tarn.shard.TemporaryFile;
import dev.tarn.shard.index.ShardIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The indexes of a dataset's shards. Each index is fetched when first needed, and read from a
 * mapped file, so that it takes no memory of the budget. The least recently used ones are dropped.
 * Safe for several threads.
 */
public final class IndexStore {
  private static final int COPY_BYTES = 128 * 1024;

  private final Storage storage;
  private final Storage kept = new LocalStorage();
  private final MappedFiles mappings;
  private final Map<StorageUrl, Slot> entries;
  private final Optional<KeptKeys> keys;

  /** An index, or the place where one thread fetches it while others wait. */
  private static final class Slot {
    private @Nullable ShardIndex index;
  }

  /**
   * Makes a store.
   *
   * @param countMax number of indexes to keep
   * @param keys where the samples' keys are kept, if anywhere
   */
  public IndexStore(Storage storage, int countMax, Optional<KeptKeys> keys) {
    this.storage = storage;
    this.keys = keys;
    this.mappings = new MappedFiles(countMax);
    this.entries = new LruMap<>(countMax);
  }

  /** Opens index files. */
  public interface Opener {
    /** Opens a file; the opener may close the stream while a thread reads it. */
    ObjectStream open(Storage storage, StorageUrl index) throws IOException;
  }

  /**
   * Returns the index of a shard.
   *
   * @throws IllegalArgumentException if the shard has none
   * @throws IOException if the index is missing, incomplete, or not the one in the manifest
   */
  public ShardIndex get(ShardSource shard) throws IOException {
    return get(shard, storage, Storage::open);
  }

  /**
   * Returns the index of a shard.
   *
   * @param through storage of its file, unless the index is kept on this machine
   * @param opening opens its file
   * @throws IllegalArgumentException if the shard has none
   * @throws IOException if the index is missing, incomplete, or not the one in the manifest
   */
  public ShardIndex get(ShardSource shard, Storage through, Opener opening) throws IOException {
    ShardSource.IndexFile file =
        shard
            .index()
            .orElseThrow(
                () -> new IllegalArgumentException(shard.url() + " has no index: use a manifest"));
    Slot slot;
    synchronized (entries) {
      slot = entries.computeIfAbsent(file.url(), url -> new Slot());
    }
    synchronized (slot) {
      ShardIndex index = slot.index;
      if (index == null) {
        index = ShardIndex.of(file.url().printable(), fetch(file, through, opening));
        index.verifySections();
        requireSameShard(shard, index);
        slot.index = index;
      }
      return index;
    }
  }

  /**
   * The keys of all shards' samples, as kept or else read from all indexes.
   *
   * @param shards of known lengths, all with an index
   * @param threads how many indexes are fetched at a time
   */
  public SampleKeys keys(List<ShardSource> shards, int threads) throws IOException {
    return keys.isPresent()
        ? keys.orElseThrow().of(shards, this, threads)
        : SampleKeys.of(shards, this, threads);
  }

  /** Samples are identified by number and located by the index, so both must match. */
  private static void requireSameShard(ShardSource shard, ShardIndex index)
      throws StorageException {
    long samples = shard.samples().orElse(index.sampleCount());
    long size = shard.size().orElse(index.storedLength());
    if (index.sampleCount() != samples || index.storedLength() != size) {
      throw new StorageException(
          StorageException.Kind.CHANGED,
          shard.url(),
          "its index is of a shard of %d samples and %d bytes, the manifest says %d and %d"
              .formatted(index.sampleCount(), index.storedLength(), samples, size));
    }
  }

  private ByteBuffer fetch(ShardSource.IndexFile file, Storage through, Opener opening)
      throws IOException {
    try (TemporaryFile copy = TemporaryFile.open("the index of a shard");
        ObjectStream remote = opening.open(file.isKept() ? kept : through, file.url())) {
      requireLength(file, remote.end());
      ByteBuffer buffer = ByteBuffer.allocate(Math.min(COPY_BYTES, file.size()));
      while (remote.position() < remote.end()) {
        remote.readFully(buffer.clear());
        copy.write(buffer.flip());
      }
      return mappings.map(copy.channel(), file.size());
    }
  }

  private static void requireLength(ShardSource.IndexFile file, long length)
      throws StorageException {
    if (length != file.size()) {
      throw new StorageException(
          length < file.size() ? StorageException.Kind.TRUNCATED : StorageException.Kind.CHANGED,
          file.url(),
          "%d bytes long, the manifest says %d".formatted(length, file.size()));
    }
  }
}
