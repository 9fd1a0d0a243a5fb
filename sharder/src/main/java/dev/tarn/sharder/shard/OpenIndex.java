package dev.tarn.sharder.shard;

import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.TemporaryFile;
import dev.tarn.shard.index.ShardIndex;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A shard's index in bounded heap memory: up to 4 MiB are read; a longer index is mapped from a
 * temporary copy.
 */
public final class OpenIndex implements AutoCloseable {
  private static final int READ_BYTES_MAX = 4 * 1024 * 1024;
  private static final int COPY_BYTES = 256 * 1024;

  private final Arena arena = Arena.ofShared();
  private final ByteBuffer bytes;
  private final ShardIndex index;

  private OpenIndex(String name, ObjectStream stream, Path temporary) throws IOException {
    try {
      bytes = stream.end() <= READ_BYTES_MAX ? read(stream) : map(name, stream, temporary);
      index = ShardIndex.of(name, bytes);
    } catch (IOException | RuntimeException | Error e) {
      arena.close();
      throw e;
    }
  }

  /**
   * Opens an index.
   *
   * @param temporary the folder of the copy
   * @return null if the shard has none
   * @throws ShardFormatException if it is corrupt
   */
  public static @Nullable OpenIndex open(Storage storage, ShardPlace shard, Path temporary)
      throws IOException {
    try (ObjectStream stream = storage.open(shard.index())) {
      return new OpenIndex(shard.index().printable(), stream, temporary);
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.MISSING) {
        return null;
      }
      throw e;
    }
  }

  private static ByteBuffer read(ObjectStream stream) throws IOException {
    ByteBuffer target = ByteBuffer.allocate((int) stream.end());
    stream.readFully(target);
    return target.flip();
  }

  private ByteBuffer map(String name, ObjectStream stream, Path temporary) throws IOException {
    if (stream.end() > Integer.MAX_VALUE) {
      throw new ShardFormatException(name, 0, "an index has at most 2 GiB");
    }
    try (TemporaryFile copy = TemporaryFile.open(temporary, "the index of a shard")) {
      ByteBuffer buffer = ByteBuffer.allocate(COPY_BYTES);
      while (stream.read(buffer.clear()) >= 0) {
        copy.write(buffer.flip());
      }
      return copy.channel().map(MapMode.READ_ONLY, 0, copy.length(), arena).asByteBuffer();
    }
  }

  /** Returns the parsed index. */
  public ShardIndex index() {
    return index;
  }

  /** Returns the file's bytes. */
  public ByteBuffer bytes() {
    return bytes.asReadOnlyBuffer();
  }

  @Override
  public void close() {
    arena.close();
  }
}
