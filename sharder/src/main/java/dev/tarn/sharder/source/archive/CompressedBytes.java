package dev.tarn.sharder.source.archive;

import dev.tarn.shard.BulkInputStream;
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
 * The uncompressed bytes of an archive that is compressed as a whole, and can only be read from its
 * beginning.
 *
 * <p>A window that moves forward serves readers that read approximately in order. A read of bytes
 * before the window moves all bytes into a temporary file. So does a return to this archive after
 * several others were read.
 */
final class CompressedBytes implements PositionedBytes {

  /** The window's result for bytes that it has passed; never a number of bytes. */
  private static final int PASSED = -1;

  /** Opens a stream of all bytes from the beginning. */
  interface Opener {
    InputStream open() throws IOException;
  }

  private final ArchiveFile file;
  private final Opener opening;
  private final SourceOptions options;
  private final PassingWindows windows;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable PassingWindow window;
  private volatile boolean passed;
  private @Nullable Spool spool;

  /**
   * @param opening opens the uncompressed bytes
   */
  CompressedBytes(ArchiveFile file, Opener opening, SourceOptions options, PassingWindows windows) {
    this.file = file;
    this.opening = opening;
    this.options = options;
    this.windows = windows;
  }

  /** Decompresses a file that gzip, zstd, xz or bzip2 compressed. */
  static Opener decompressing(ArchiveFile file) {
    return () -> {
      InputStream stored = file.stream();
      try {
        return ShardStreams.open(file.name(), stored);
      } catch (IOException e) {
        stored.close();
        throw e;
      }
    };
  }

  /** Opens a stream of all bytes from the beginning; its errors name the archive. */
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

  /** Reads through the window; returns {@link #PASSED} if the window has passed the bytes. */
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

  /** Returns the memory of the window in bytes. */
  long windowBytes() {
    PassingWindow open = window;
    return open == null ? 0 : open.bytes();
  }

  /** Closes the window; later reads use a temporary file. */
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
            ? "and bytes that its stream has passed are needed again"
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

  /** Adds the archive's name to errors of the storage and of the file system. */
  private final class NamedStream extends BulkInputStream {
    private final InputStream stream;

    NamedStream(InputStream stream) {
      this.stream = stream;
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
