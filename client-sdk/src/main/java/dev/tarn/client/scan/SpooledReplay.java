package dev.tarn.client.scan;

import dev.tarn.shard.BulkInputStream;
import dev.tarn.shard.TemporaryFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a sample of a compressed shard, which cannot be read again: short data in memory, the rest
 * in a temporary file.
 */
final class SpooledReplay implements SampleReplay {
  private static final int MEMORY_BYTES = 1024 * 1024;

  private final ByteBuffer memory = ByteBuffer.allocate(MEMORY_BYTES);
  private final Path temporary;
  private @Nullable TemporaryFile file;
  private long fileLength;

  /**
   * Makes a replay.
   *
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
  public InputStream open(long shardOffset, long sampleOffset, long length) {
    return new Part(sampleOffset, length);
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }

  private void read(long sampleOffset, ByteBuffer target) throws IOException {
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

  private final class Part extends BulkInputStream {
    private long offset;
    private long left;

    Part(long offset, long length) {
      this.offset = offset;
      this.left = length;
    }

    @Override
    public int read(byte[] target, int start, int length) throws IOException {
      if (left == 0) {
        return -1;
      }
      int count = (int) Math.min(length, left);
      SpooledReplay.this.read(offset, ByteBuffer.wrap(target, start, count));
      offset += count;
      left -= count;
      return count;
    }
  }
}
