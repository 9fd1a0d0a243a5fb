package dev.tarn.sharder.source.archive;

import dev.tarn.shard.TemporaryFile;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A stream's bytes in a temporary file, which allows random access. The stream is read only as far
 * as requested. The file has no name, so nothing remains of it.
 */
final class Spool implements Closeable {
  private static final int STEP = 256 * 1024;

  private final InputStream stream;
  private final TemporaryFile file;
  private final byte[] step = new byte[STEP];
  private long filled;
  private boolean ended;

  /**
   * @param stream closed with this object, also if the constructor fails
   */
  Spool(InputStream stream, Path directory) throws IOException {
    this.stream = stream;
    try {
      this.file = TemporaryFile.open(directory, "an archive's bytes");
    } catch (IOException e) {
      stream.close();
      throw e;
    }
  }

  /** Reads until the buffer is full or the stream ends. */
  int read(long offset, ByteBuffer target) throws IOException {
    long available = fillTo(offset + target.remaining());
    int limit = target.limit();
    int count = Math.clamp(available - offset, 0, target.remaining());
    target.limit(target.position() + count);
    file.read(offset, target);
    target.limit(limit);
    return count;
  }

  /**
   * Reads the stream up to an offset; returns the number of bytes in the file, which is lower if
   * the stream ended before.
   */
  private synchronized long fillTo(long end) throws IOException {
    while (filled < end && !ended) {
      int read = stream.read(step);
      ended = read < 0;
      if (read > 0) {
        filled += file.write(ByteBuffer.wrap(step, 0, read));
      }
    }
    return filled;
  }

  @Override
  public void close() throws IOException {
    try (stream) {
      file.close();
    }
  }
}
