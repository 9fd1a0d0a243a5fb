package dev.tarn.sharder.shard;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.internal.decompress.Decompressors;
import dev.tarn.client.internal.scan.ShardScan;
import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.compression.Compression;
import dev.tarn.shard.compression.ShardStreams;
import dev.tarn.shard.tar.TarReader;
import dev.tarn.sharder.progress.Progress;
import dev.tarn.sharder.source.LocalPaths;
import dev.tarn.sharder.source.range.BytesChannel;
import dev.tarn.sharder.source.range.ReadAhead;
import dev.tarn.sharder.temporary.TemporaryFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Opens shards of any compression, wherever they are. For use by many threads at once. */
public final class ShardAccess {
  /** What came of growing an index for so many is left to the collector. */
  private static final int MEMBERS_OF_LITTLE_GARBAGE = 64 * 1024;

  private final Storage storage;
  private final ShardStreams streams = new ShardStreams(Decompressors.ALL);

  private final ReadAhead reads = new ReadAhead();
  private final Path temporary;

  /**
   * @param storage which stays open as long as this is used
   * @param temporary the folder for what memory does not hold
   */
  public ShardAccess(Storage storage, Path temporary) {
    this.storage = requireNonNull(storage, "storage is null");
    this.temporary = requireNonNull(temporary, "temporary is null");
  }

  /** The folder for what memory does not hold. */
  public Path temporary() {
    return temporary;
  }

  /** Reads a shard to make the index that describes it. */
  public ByteBuffer makeIndex(ShardPlace shard, Progress progress) throws IOException {
    return ShardScan.index(
            storage, shard.url(), this::scratch, progress::add, ShardAccess::collectGarbage)
        .file();
  }

  /** The collector would rather grow the heap, up to all that it may, than look through it. */
  private static void collectGarbage(int members) {
    if (members > MEMBERS_OF_LITTLE_GARBAGE) {
      System.gc();
    }
  }

  /** Reads a shard from its beginning to its end. */
  public ShardScan scan(ShardPlace shard, Progress progress, ShardScan.Samples samples)
      throws IOException {
    return ShardScan.read(storage, shard.url(), this::scratch, progress::add, samples);
  }

  private TemporaryFile scratch(String content) throws IOException {
    return TemporaryFile.open(temporary, content);
  }

  /** Where the shards are. */
  public Storage storage() {
    return storage;
  }

  /** What undoes compressions. */
  public ShardStreams streams() {
    return streams;
  }

  /** Reads a shard from its beginning. */
  public TarReader tar(ShardPlace shard) throws IOException {
    String name = shard.toString();
    ObjectStream stored = storage.open(shard.url());
    try {
      return TarReader.of(name, streams.open(name, stored));
    } catch (IOException e) {
      stored.close();
      throw e;
    }
  }

  /**
   * Reads a shard from its beginning, for the members alone: of one that is not compressed little
   * but the headers is read, unless data is asked for. Only web servers, which need not know
   * ranges, send all of it.
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

  /** How a shard is compressed, by its first bytes. */
  public Optional<Compression> compression(ShardPlace shard) throws IOException {
    try (InputStream stored = storage.open(shard.url(), 0, Compression.MAGIC_LENGTH, null)) {
      return Optional.ofNullable(Compression.of(stored.readNBytes(Compression.MAGIC_LENGTH)));
    }
  }

  /**
   * The index of a shard; null if it has none, or if that may not be read: what is not there is
   * refused to who may not list, and a URL's signature is for the shard alone.
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
