package dev.tarn.sharder.source.dataset;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.index.ShardRanges;
import dev.tarn.shard.index.ShardRestarts;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.sharder.shard.OpenIndex;
import dev.tarn.sharder.shard.ShardPlace;
import dev.tarn.sharder.source.range.Ranged;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A shard of a dataset, with its bytes uncompressed. Keeps no index in memory, except the restarts
 * of a compressed shard.
 */
final class DatasetShard implements Ranged {

  private record Entered(ShardRanges ranges, ShardRestarts restarts, long size) {}

  private final Storage storage;
  private final ShardPlace place;
  private final Path temporary;
  private final ShardEntry entry;
  private volatile @Nullable Entered entered;

  /**
   * @param temporary the folder for indexes that do not fit in memory
   */
  DatasetShard(Storage storage, StorageUrl dataset, ShardEntry entry, Path temporary) {
    this.storage = requireNonNull(storage, "storage is null");
    this.entry = requireNonNull(entry, "entry is null");
    this.place = ShardPlace.of(dataset, entry);
    this.temporary = requireNonNull(temporary, "temporary is null");
  }

  StorageUrl url() {
    return place.url();
  }

  /**
   * Returns the shard's stamp, from the digest of its index, which has the digest of each sample.
   */
  long stamp() {
    return ByteBuffer.wrap(entry.index().sha256().bytes()).getLong();
  }

  boolean isCompressed() {
    return entry.compression().isPresent();
  }

  /** Opens the index, and verifies that it is the one in the manifest. */
  OpenIndex index() throws IOException {
    OpenIndex open;
    try {
      open = OpenIndex.open(storage, place, temporary);
    } catch (ShardFormatException e) {
      throw anotherIndex(e);
    }
    if (open == null) {
      throw new StorageException(
          StorageException.Kind.MISSING,
          place.index(),
          "the index of a shard is missing; " + place.indexing() + " makes it again");
    }
    if (!Sha256.digest(open.bytes()).equals(entry.index().sha256())) {
      open.close();
      throw anotherIndex(null);
    }
    return open;
  }

  private IOException anotherIndex(@Nullable IOException cause) {
    return new IOException(
        place.index()
            + ": is not the index that the dataset's manifest names: its SHA-256 differs; "
            + place.indexing()
            + " makes it again",
        cause);
  }

  /** Returns the parts of the index that a compressed shard needs; reads the index once. */
  private Entered entered() throws IOException {
    Entered known = entered;
    if (known == null) {
      known = enter();
      entered = known;
    }
    return known;
  }

  private Entered enter() throws IOException {
    try (OpenIndex open = index()) {
      ShardIndex index = open.index();
      ShardRestarts restarts =
          index
              .restarts()
              .orElseThrow(() ->
                  new IOException(
                      place.index()
                          + ": lacks the restarts of its compressed shard; "
                          + place.indexing()
                          + " makes it again"));
      ShardRanges ranges =
          new ShardRanges(
              place.toString(),
              index,
              (offset, end) -> storage.open(place.url(), offset, end, null));
      return new Entered(ranges, restarts, index.shardLength());
    }
  }

  @Override
  public long size() throws IOException {
    return isCompressed() ? entered().size() : entry.size();
  }

  @Override
  public InputStream open(long offset, long end) throws IOException {
    return isCompressed()
        ? entered().ranges().open(offset, end)
        : storage.open(place.url(), offset, end, null);
  }

  /**
   * For a compressed shard, reads ahead to the next restart: its bytes are decompressed together.
   */
  @Override
  public long endAhead(long offset, long usual) throws IOException {
    if (!isCompressed()) {
      return usual;
    }
    ShardRestarts restarts = entered().restarts();
    int next = restarts.before(offset) + 1;
    return Math.max(usual, next < restarts.count() ? restarts.offset(next) : size());
  }
}
