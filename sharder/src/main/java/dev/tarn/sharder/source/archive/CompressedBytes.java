package dev.tarn.sharder.source.archive;

import dev.tarn.client.decompress.Decompressors;
import dev.tarn.client.storage.StorageException;
import dev.tarn.shard.compression.ShardStreams;
import dev.tarn.sharder.source.SourceFailures;
import dev.tarn.sharder.source.SourceOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The tar bytes of an archive that is compressed as a whole, and so can only be read from its
 * beginning. Who reads about in order is served from a window that passes over them; who asks for
 * what has passed makes all of them be kept in one temporary file.
 */
final class CompressedBytes implements ArchiveBytes {
  private static final ShardStreams STREAMS = new ShardStreams(Decompressors.ALL);

  private final ArchiveFile file;
  private final SourceOptions options;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable PassingWindow window;
  private @Nullable Spool spool;

  CompressedBytes(ArchiveFile file, SourceOptions options) {
    this.file = file;
    this.options = options;
  }

  /** The tar bytes once from the beginning; what is wrong with them names the archive. */
  InputStream stream() throws IOException {
    try {
      return new NamedStream(STREAMS.open(file.name(), file.stream()));
    } catch (IOException e) {
      throw naming(e, 0);
    }
  }

  @Override
  public long size() {
    return Long.MAX_VALUE;
  }

  @Override
  public int read(long offset, ByteBuffer target) throws IOException {
    int read = keeping(offset).read(offset, target);
    file.requireUnchanged();
    return read;
  }

  private interface Kept {
    int read(long offset, ByteBuffer target) throws IOException;
  }

  private Kept keeping(long offset) throws IOException {
    lock.lock();
    try {
      if (spool != null) {
        return spool::read;
      }
      if (options.keepsOrder()) {
        if (window == null) {
          window = new PassingWindow(stream());
        }
        if (window.mayHold(offset)) {
          return this::readPassing;
        }
        window.close();
      }
      tellOfSpool();
      spool = new Spool(stream(), options.temporaryDirectory());
      return spool::read;
    } finally {
      lock.unlock();
    }
  }

  private void tellOfSpool() {
    String why =
        options.keepsOrder()
            ? "and what had passed by in its stream is needed after all"
            : "and not packed in its own order, which --order source would keep";
    options
        .notices()
        .accept(
            "%s: is compressed as a whole, %s: its tar bytes are kept in a temporary file in %s"
                    .formatted(file.name(), why, options.temporaryDirectory())
                + " meanwhile");
  }

  private int readPassing(long offset, ByteBuffer target) throws IOException {
    lock.lock();
    try {
      if (window != null && spool == null && window.mayHold(offset)) {
        return window.read(offset, target);
      }
    } finally {
      lock.unlock();
    }
    return keeping(offset).read(offset, target);
  }

  private IOException naming(IOException e, long offset) {
    if (e instanceof StorageException
        || e instanceof FileSystemException
        || String.valueOf(e.getMessage()).startsWith(file.name())) {
      return SourceFailures.naming(file.name(), e);
    }
    return new IOException(
        "%s at byte %d: the archive cannot be decompressed: %s"
            .formatted(file.name(), offset, e.getMessage()),
        e);
  }

  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      if (window != null) {
        window.close();
      }
      if (spool != null) {
        spool.close();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Decompressors say what is wrong, but not where. */
  private final class NamedStream extends InputStream {
    private final InputStream stream;
    private long position;

    NamedStream(InputStream stream) {
      this.stream = stream;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      try {
        int read = stream.read(target, offset, length);
        position += Math.max(0, read);
        return read;
      } catch (IOException e) {
        throw naming(e, position);
      }
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }
}
