package dev.tarn.sharder.shard;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.scan.ShardScan;
import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.compression.Compression;
import dev.tarn.shard.compression.ShardStreams;
import dev.tarn.shard.tar.TarReader;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.source.LocalPaths;
import dev.tarn.sharder.source.range.BytesChannel;
import dev.tarn.sharder.source.range.ReadAhead;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Opens shards of any compression, on any storage. Thread-safe. */
public final class ShardAccess {
  /** An index of more members leaves enough garbage to justify a collection. */
  private static final int MEMBERS_OF_LITTLE_GARBAGE = 64 * 1024;

  private final Storage storage;

  private final ReadAhead reads = new ReadAhead();
  private final Path temporary;

  /**
   * @param storage must stay open while this object is in use
   * @param temporary the folder for data that does not fit in memory
   */
  public ShardAccess(Storage storage, Path temporary) {
    this.storage = requireNonNull(storage, "storage is null");
    this.temporary = requireNonNull(temporary, "temporary is null");
  }

  /** Returns the folder for data that does not fit in memory. */
  public Path temporary() {
    return temporary;
  }

  /** Reads a shard and makes its index. */
  public ByteBuffer makeIndex(ShardPlace shard, Progress progress) throws IOException {
    return ShardScan.index(
            storage, shard.url(), temporary, progress::add, ShardAccess::collectGarbage)
        .file();
  }

  /** Requests a collection, because the collector would rather grow the heap up to its limit. */
  private static void collectGarbage(int members) {
    if (members > MEMBERS_OF_LITTLE_GARBAGE) {
      System.gc();
    }
  }

  /** Reads a shard from beginning to end. */
  public ShardScan scan(ShardPlace shard, Progress progress, ShardScan.Samples samples)
      throws IOException {
    return ShardScan.read(storage, shard.url(), temporary, progress::add, samples);
  }

  /** Returns the storage of the shards. */
  public Storage storage() {
    return storage;
  }

  /** Reads a shard from its beginning. */
  public TarReader tar(ShardPlace shard) throws IOException {
    String name = shard.toString();
    ObjectStream stored = storage.open(shard.url());
    try {
      return TarReader.of(name, ShardStreams.open(name, stored));
    } catch (IOException e) {
      stored.close();
      throw e;
    }
  }

  /**
   * Reads a shard from its beginning, for the members' headers. Of an uncompressed shard, little
   * except the headers is read. Web servers always send the whole shard, because they may not
   * support ranges.
   */
  public TarReader headers(ShardPlace shard) throws IOException {
    StoredObject object;
    try (ObjectStream stored = storage.open(shard.url(), 0, Compression.MAGIC_LENGTH, null)) {
      if (Compression.of(stored.readNBytes(Compression.MAGIC_LENGTH)) != null) {
        return tar(shard);
      }
      object = stored.object();
    }
    return switch (shard.url().scheme()) {
      case FILE -> {
        Path file = LocalPaths.of(shard.url());
        yield TarReader.of(shard.toString(), FileChannel.open(file, StandardOpenOption.READ));
      }
      case S3, MEMORY -> {
        StoredShard bytes = new StoredShard(storage, object, reads);
        yield TarReader.of(shard.toString(), new BytesChannel(bytes, 0, bytes.size()));
      }
      case HTTP, HTTPS -> tar(shard);
    };
  }

  /** Returns a shard's compression, from its first bytes. */
  public Optional<Compression> compression(ShardPlace shard) throws IOException {
    try (InputStream stored = storage.open(shard.url(), 0, Compression.MAGIC_LENGTH, null)) {
      return Optional.ofNullable(Compression.of(stored.readNBytes(Compression.MAGIC_LENGTH)));
    }
  }

  /**
   * Returns the index of a shard; null if it has none, or if permission is denied.
   *
   * <p>Permission is also denied for a missing index if the caller may not list, and for an index
   * next to a shard with a presigned URL.
   */
  public @Nullable OpenIndex index(ShardPlace shard) throws IOException {
    try {
      return OpenIndex.open(storage, shard, temporary);
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.DENIED) {
        return null;
      }
      throw e;
    }
  }
}
