package dev.tarn.sharder.index;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a sample of a compressed shard, where nothing can be read again: in memory what is short,
 * the rest in a temporary file without a name.
 */
final class SpooledReplay implements SampleReplay {
  private static final int MEMORY_BYTES = 1024 * 1024;

  private final ByteBuffer memory = ByteBuffer.allocate(MEMORY_BYTES);
  private @Nullable FileChannel file;
  private long fileLength;

  @Override
  public void append(ByteBuffer data) throws IOException {
    ByteBuffer rest = data.duplicate();
    if (fileLength == 0) {
      int fits = Math.min(rest.remaining(), memory.remaining());
      memory.put(rest.slice(rest.position(), fits));
      rest.position(rest.position() + fits);
    }
    while (rest.hasRemaining()) {
      fileLength += file().write(rest, fileLength);
    }
  }

  private FileChannel file() throws IOException {
    FileChannel opened = file;
    if (opened == null) {
      Path path = Files.createTempFile("tarn-sample-", ".tmp");
      try {
        opened = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
      } finally {
        Files.delete(path);
      }
      file = opened;
    }
    return opened;
  }

  @Override
  public void clear() throws IOException {
    memory.clear();
    if (fileLength > 0) {
      file().truncate(0);
      fileLength = 0;
    }
  }

  @Override
  public void read(long shardOffset, long sampleOffset, ByteBuffer target) throws IOException {
    long offset = sampleOffset;
    if (offset < memory.position()) {
      int length = (int) Math.min(target.remaining(), memory.position() - offset);
      target.put(memory.slice((int) offset, length));
      offset += length;
    }
    while (target.hasRemaining()) {
      int read = file().read(target, offset - memory.position());
      if (read < 0) {
        throw new EOFException("the temporary file of a sample became shorter");
      }
      offset += read;
    }
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
