package dev.tarn.sharder.index;

import dev.tarn.sharder.temporary.TemporaryFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a sample of a compressed shard, where nothing can be read again: in memory what is short,
 * the rest in a temporary file without a name.
 */
final class SpooledReplay implements SampleReplay {
  private static final int MEMORY_BYTES = 1024 * 1024;

  private final ByteBuffer memory = ByteBuffer.allocate(MEMORY_BYTES);
  private final Path temporary;
  private @Nullable TemporaryFile file;
  private long fileLength;

  /**
   * @param temporary the folder of the file
   */
  SpooledReplay(Path temporary) {
    this.temporary = temporary;
  }

  @Override
  public void append(ByteBuffer data) throws IOException {
    ByteBuffer rest = data.duplicate();
    if (fileLength == 0) {
      int fits = Math.min(rest.remaining(), memory.remaining());
      memory.put(rest.slice(rest.position(), fits));
      rest.position(rest.position() + fits);
    }
    if (rest.hasRemaining()) {
      fileLength += file().write(rest);
    }
  }

  private TemporaryFile file() throws IOException {
    TemporaryFile opened = file;
    if (opened == null) {
      opened = TemporaryFile.open(temporary, "a sample of a compressed shard");
      file = opened;
    }
    return opened;
  }

  @Override
  public void clear() throws IOException {
    memory.clear();
    if (fileLength > 0) {
      file().clear();
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
    if (target.hasRemaining()) {
      file().read(offset - memory.position(), target);
    }
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
