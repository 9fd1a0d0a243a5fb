package dev.tarn.sharder.inspect;

import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.index.ShardIndex;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A shard's index that takes no memory of its own, however long it is: mapped, if it is far away
 * from a temporary copy. One of usual length is simply read.
 */
public final class OpenIndex implements AutoCloseable {
  private static final int READ_BYTES_MAX = 4 * 1024 * 1024;
  private static final int COPY_BYTES = 256 * 1024;

  private final Arena arena = Arena.ofShared();
  private final ByteBuffer bytes;
  private final ShardIndex index;

  private OpenIndex(String name, ObjectStream stream) throws IOException {
    try {
      bytes = stream.end() <= READ_BYTES_MAX ? read(stream) : map(name, stream);
      index = ShardIndex.of(name, bytes);
    } catch (IOException | RuntimeException | Error e) {
      arena.close();
      throw e;
    }
  }

  /**
   * Opens an index.
   *
   * @return null if the shard has none
   * @throws ShardFormatException if it is corrupt
   */
  public static @Nullable OpenIndex open(Storage storage, ShardPlace shard) throws IOException {
    try (ObjectStream stream = storage.open(shard.index())) {
      return new OpenIndex(shard.index().printable(), stream);
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

  private ByteBuffer map(String name, ObjectStream stream) throws IOException {
    if (stream.end() > Integer.MAX_VALUE) {
      throw new ShardFormatException(name, 0, "an index of more than 2 GiB is none");
    }
    Path copy = Files.createTempFile("tarn-index-", ".tmp");
    try (FileChannel file =
        FileChannel.open(copy, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer buffer = ByteBuffer.allocate(COPY_BYTES);
      while (stream.read(buffer.clear()) >= 0) {
        buffer.flip();
        while (buffer.hasRemaining()) {
          file.write(buffer);
        }
      }
      return file.map(FileChannel.MapMode.READ_ONLY, 0, stream.end(), arena).asByteBuffer();
    } finally {
      Files.delete(copy);
    }
  }

  /** What it says. */
  public ShardIndex index() {
    return index;
  }

  /** The file's bytes. */
  public ByteBuffer bytes() {
    return bytes.asReadOnlyBuffer();
  }

  @Override
  public void close() {
    arena.close();
  }
}
