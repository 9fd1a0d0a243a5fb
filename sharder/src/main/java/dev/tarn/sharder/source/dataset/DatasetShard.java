package dev.tarn.sharder.source.dataset;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.decompress.Decompressors;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.compression.ShardStreams;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.index.ShardRanges;
import dev.tarn.shard.index.ShardRestarts;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.sharder.inspect.ShardPlace;
import dev.tarn.sharder.source.range.Ranged;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A shard of a dataset as if it were not compressed. Of its index only the restarts are kept, and
 * they only if there are any.
 */
final class DatasetShard implements Ranged {
  private static final int INDEX_BYTES_MAX = Integer.MAX_VALUE - 8;
  private static final ShardStreams STREAMS = new ShardStreams(Decompressors.ALL);

  private record Entered(ShardRanges ranges, ShardRestarts restarts, long size) {}

  private final Storage storage;
  private final StorageUrl url;
  private final StorageUrl indexUrl;
  private final String indexing;
  private final ShardEntry entry;
  private volatile @Nullable Entered entered;

  DatasetShard(Storage storage, StorageUrl dataset, ShardEntry entry) {
    this.storage = requireNonNull(storage, "storage is null");
    this.entry = requireNonNull(entry, "entry is null");
    ShardPlace place = ShardPlace.of(dataset, entry);
    this.url = place.url();
    this.indexUrl = place.index();
    this.indexing = place.indexing();
  }

  StorageUrl url() {
    return url;
  }

  /** The mark of this very shard: of its index, which has each sample's digest. */
  long stamp() {
    return ByteBuffer.wrap(entry.index().sha256().bytes()).getLong();
  }

  boolean isCompressed() {
    return entry.compression().isPresent();
  }

  /** Reads the index, and makes sure that it is the one that the manifest means. */
  ShardIndex index() throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(storage.readAll(indexUrl, INDEX_BYTES_MAX));
    if (!Sha256.digest(bytes.duplicate()).equals(entry.index().sha256())) {
      throw new IOException(
          indexUrl
              + ": is not the index that the dataset's manifest names: its SHA-256 is another; "
              + indexing
              + " makes it anew");
    }
    return ShardIndex.of(indexUrl.toString(), bytes);
  }

  /** What only the index of a compressed shard tells; read once. */
  private Entered entered() throws IOException {
    Entered known = entered;
    if (known == null) {
      ShardIndex index = index();
      ShardRestarts restarts =
          index
              .restarts()
              .orElseThrow(() ->
                  new IOException(
                      indexUrl
                          + ": lacks the restarts of its compressed shard; "
                          + indexing
                          + " makes it anew"));
      ShardRanges ranges =
          new ShardRanges(
              url.toString(),
              index,
              STREAMS,
              (offset, end) -> storage.open(url, offset, end, null));
      known = new Entered(ranges, restarts, index.shardLength());
      entered = known;
    }
    return known;
  }

  @Override
  public long size() throws IOException {
    return isCompressed() ? entered().size() : entry.size();
  }

  @Override
  public InputStream open(long offset, long end) throws IOException {
    return isCompressed()
        ? entered().ranges().open(offset, end)
        : storage.open(url, offset, end, null);
  }

  /** Who reads a compressed shard in order gets all that follows a restart at once. */
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
