package dev.tarn.sharder.source.archive;

import dev.tarn.sharder.source.range.OpenFiles;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A stream's bytes in a temporary file, from which they can be read in any order: those that were
 * not asked for yet are fetched when they are. The file has no name, so nothing stays of it.
 */
final class Spool implements Closeable {
  private static final int STEP = 256 * 1024;

  private final InputStream stream;
  private final Path directory;
  private final FileChannel file;
  private final byte[] step = new byte[STEP];
  private long filled;
  private boolean ended;

  Spool(InputStream stream, Path directory) throws IOException {
    this.stream = stream;
    this.directory = directory;
    try {
      this.file =
          FileChannel.open(
              Files.createTempFile(directory, "sharder-", ".tar"),
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
    } catch (IOException e) {
      throw noRoom(e);
    }
  }

  /** Reads until the buffer is full or the stream ends. */
  int read(long offset, ByteBuffer target) throws IOException {
    long available = fillTo(offset + target.remaining());
    int limit = target.limit();
    int count = Math.clamp(available - offset, 0, target.remaining());
    target.limit(target.position() + count);
    int read = OpenFiles.read(file, offset, target);
    target.limit(limit);
    return read;
  }

  /** Returns how many bytes are there: those, or fewer if the stream ends before. */
  private synchronized long fillTo(long end) throws IOException {
    while (filled < end && !ended) {
      int read = stream.read(step);
      ended = read < 0;
      if (read > 0) {
        append(ByteBuffer.wrap(step, 0, read));
      }
    }
    return filled;
  }

  private void append(ByteBuffer bytes) throws IOException {
    try {
      while (bytes.hasRemaining()) {
        filled += file.write(bytes, filled);
      }
    } catch (IOException e) {
      throw noRoom(e);
    }
  }

  private IOException noRoom(IOException e) {
    return new IOException(
        "%s: cannot keep an archive's bytes there meanwhile: %s; name another place by --temp-dir"
            .formatted(directory, e.getMessage()),
        e);
  }

  @Override
  public void close() throws IOException {
    try (stream) {
      file.close();
    }
  }
}
