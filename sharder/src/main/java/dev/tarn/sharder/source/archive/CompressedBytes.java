package dev.tarn.sharder.source.archive;

import dev.tarn.client.internal.decompress.Decompressors;
import dev.tarn.shard.compression.ShardStreams;
import dev.tarn.sharder.source.SourceFailures;
import dev.tarn.sharder.source.SourceOptions;
import dev.tarn.sharder.source.range.PositionedBytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The uncompressed bytes of an archive that is compressed as a whole, and so can only be read from
 * its beginning. A window that moves forward serves readers that read about in order. A read of
 * bytes that the window has passed moves all bytes into one temporary file; so does a return to
 * this archive after several others were read.
 */
final class CompressedBytes implements PositionedBytes {
  private static final ShardStreams STREAMS = new ShardStreams(Decompressors.ALL);

  /** The answer of the window for bytes that it has passed; never a number of bytes. */
  private static final int PASSED = -1;

  /** Reads all bytes from the beginning. */
  interface Opening {
    InputStream open() throws IOException;
  }

  private final ArchiveFile file;
  private final Opening opening;
  private final SourceOptions options;
  private final PassingWindows windows;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable PassingWindow window;
  private volatile boolean passed;
  private @Nullable Spool spool;

  /**
   * @param opening opens the uncompressed bytes
   */
  CompressedBytes(
      ArchiveFile file, Opening opening, SourceOptions options, PassingWindows windows) {
    this.file = file;
    this.opening = opening;
    this.options = options;
    this.windows = windows;
  }

  /** The bytes of a file that gzip, zstd, xz or bzip2 compressed. */
  static Opening decompressing(ArchiveFile file) {
    return () -> {
      InputStream stored = file.stream();
      try {
        return STREAMS.open(file.name(), stored);
      } catch (IOException e) {
        stored.close();
        throw e;
      }
    };
  }

  /** The bytes once from the beginning; what is wrong with them names the archive. */
  InputStream stream() throws IOException {
    try {
      return new NamedStream(opening.open());
    } catch (IOException e) {
      throw SourceFailures.naming(file.name(), e);
    }
  }

  @Override
  public long size() {
    return Long.MAX_VALUE;
  }

  @Override
  public int read(long offset, ByteBuffer target) throws IOException {
    int read = options.keepsOrder() && !passed ? readPassing(offset, target) : PASSED;
    if (read == PASSED) {
      read = spool().read(offset, target);
    }
    file.requireUnchanged();
    return read;
  }

  /** Reads through the window, unless the bytes have passed. */
  private int readPassing(long offset, ByteBuffer target) throws IOException {
    CompressedBytes other = windows.use(this);
    if (other != null) {
      other.pass();
    }
    lock.lock();
    try {
      if (passed) {
        return PASSED;
      }
      PassingWindow open = window;
      if (open == null) {
        open = new PassingWindow(stream());
        window = open;
      }
      if (open.mayHold(offset)) {
        return open.read(offset, target);
      }
      pass();
      return PASSED;
    } finally {
      lock.unlock();
    }
  }

  /** How much memory the window takes. */
  long windowBytes() {
    PassingWindow open = window;
    return open == null ? 0 : open.bytes();
  }

  /** Closes the window; what is asked for later is read from a temporary file. */
  private void pass() throws IOException {
    lock.lock();
    try {
      PassingWindow last = window;
      passed = true;
      window = null;
      windows.forget(this);
      if (last != null) {
        last.close();
      }
    } finally {
      lock.unlock();
    }
  }

  private Spool spool() throws IOException {
    lock.lock();
    try {
      if (spool == null) {
        tellOfSpool();
        spool = new Spool(stream(), options.temporaryDirectory());
      }
      return spool;
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
            "%s: is compressed as a whole, %s: its uncompressed bytes are kept in a temporary file in %s"
                    .formatted(file.name(), why, options.temporaryDirectory())
                + " meanwhile");
  }

  @Override
  public void close() throws IOException {
    pass();
    lock.lock();
    try {
      if (spool != null) {
        spool.close();
      }
    } finally {
      lock.unlock();
    }
  }

  /** What a storage or the file system fails at does not always say where. */
  private final class NamedStream extends InputStream {
    private final InputStream stream;

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
        return stream.read(target, offset, length);
      } catch (IOException e) {
        throw SourceFailures.naming(file.name(), e);
      }
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }
}
