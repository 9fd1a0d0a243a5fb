package dev.tarn.sharder.index;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.shard.OpenIndex;
import dev.tarn.sharder.shard.ShardAccess;
import dev.tarn.sharder.shard.ShardPlace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes missing indexes of shards. Thread-safe. */
public final class ShardIndexing {
  private final ShardAccess access;
  private final boolean force;
  private final boolean dali;
  private final Progress progress;

  /**
   * @param force whether existing indexes are made again
   * @param dali whether each shard also gets a DALI index
   * @param progress receives members and stored bytes
   */
  public ShardIndexing(ShardAccess access, boolean force, boolean dali, Progress progress) {
    this.access = requireNonNull(access, "access is null");
    this.force = force;
    this.dali = dali;
    this.progress = requireNonNull(progress, "progress is null");
  }

  /** Returns whether the index of a shard will be made. */
  public boolean isDue(ShardPlace shard) throws IOException {
    if (force) {
      return true;
    }
    try (OpenIndex index = access.index(shard)) {
      return index == null;
    }
  }

  /**
   * Makes the index of a shard, unless it exists.
   *
   * @throws IOException if the shard is corrupt, or if the existing index is corrupt or belongs to
   *     another shard
   */
  public IndexedShard index(ShardPlace shard) throws IOException {
    Storage storage = access.storage();
    if (!force) {
      try (OpenIndex open = present(shard)) {
        if (open != null) {
          requireSameSize(shard, open.index(), storage.stat(shard.url()).size());
          Optional<String> obstacle = writeDali(shard, open.index());
          return IndexedShard.of(shard, false, open.index(), open.bytes(), obstacle);
        }
      }
    }
    ByteBuffer file = access.makeIndex(shard, progress);
    var _ = storage.write(shard.index(), file.duplicate());
    ShardIndex index = ShardIndex.of(shard.index().toString(), file);
    return IndexedShard.of(shard, true, index, file, writeDali(shard, index));
  }

  private @Nullable OpenIndex present(ShardPlace shard) throws IOException {
    try {
      return access.index(shard);
    } catch (ShardFormatException e) {
      throw new IOException(e.getMessage() + "; " + shard.indexing() + " makes it again", e);
    }
  }

  private static void requireSameSize(ShardPlace shard, ShardIndex index, long size)
      throws ShardFormatException {
    if (index.storedLength() != size) {
      throw new ShardFormatException(
          shard.index().toString(),
          0,
          "the index is of a shard of %d bytes, this one has %d; %s makes it again"
              .formatted(index.storedLength(), size, shard.indexing()));
    }
  }

  /** Returns the URL of a shard's DALI index, if it gets one. */
  public Optional<StorageUrl> daliIndex(ShardPlace shard) throws IOException {
    return dali && access.compression(shard).isEmpty()
        ? Optional.of(DaliIndex.url(shard))
        : Optional.empty();
  }

  /** Returns the URL of a shard's DALI index if a file is there that this run would not write. */
  public Optional<StorageUrl> foreignDaliIndex(ShardPlace shard) throws IOException {
    Optional<StorageUrl> url = daliIndex(shard);
    if (url.isEmpty() || !access.storage().exists(url.orElseThrow())) {
      return Optional.empty();
    }
    try (OpenIndex open = present(shard)) {
      return open != null && isDaliIndex(url.orElseThrow(), open.index()) ? Optional.empty() : url;
    }
  }

  private boolean isDaliIndex(StorageUrl url, ShardIndex index) throws IOException {
    if (DaliIndex.obstacle(index) != null) {
      return false;
    }
    ByteBuffer own = DaliIndex.of(index);
    return access.storage().stat(url).size() == own.remaining()
        && own.equals(ByteBuffer.wrap(access.storage().readAll(url, own.remaining())));
  }

  /** Writes a DALI index if possible; returns the obstacle if not. */
  private Optional<String> writeDali(ShardPlace shard, ShardIndex index) throws IOException {
    Optional<String> obstacle =
        dali ? Optional.ofNullable(DaliIndex.obstacle(index)) : Optional.empty();
    if (dali && obstacle.isEmpty()) {
      var _ = access.storage().write(DaliIndex.url(shard), DaliIndex.of(index));
    }
    return obstacle;
  }
}
