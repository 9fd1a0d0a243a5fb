package dev.tarn.client.internal.cache;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLockInterruptionException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A lock file that one thread of one process on this machine holds at a time. If its process is
 * killed, the next one gets it. The file is never deleted: a waiting process would then hold a file
 * that no other process sees.
 */
public final class LockFile implements Closeable {
  /** Pause before the system is asked again for a lock that it refused to wait for. */
  private static final long ASK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final Path file;
  private final FileChannel channel;

  private LockFile(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** Waits for the lock; makes the file if it is missing. */
  public static LockFile hold(Path file) throws IOException {
    Path absolute = file.toAbsolutePath().normalize();
    ThisProcess.hold(absolute);
    try {
      FileChannel channel =
          FileChannel.open(absolute, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try {
        lock(channel);
        return new LockFile(absolute, channel);
      } catch (OverlappingFileLockException e) {
        channel.close();
        throw new IOException(
            "%s is held by this process under another path".formatted(absolute), e);
      } catch (Throwable e) {
        channel.close();
        throw e;
      }
    } catch (Throwable e) {
      ThisProcess.release(absolute);
      throw e;
    }
  }

  /**
   * Waits for the system's lock. A system that detects deadlocks may refuse to wait if two
   * processes hold what the other one waits for, even in different threads. There is no deadlock:
   * the holder of a file waits only for the lock of its cache's room, and the holder of that lock
   * waits for none. So the system is asked again.
   */
  private static void lock(FileChannel channel) throws IOException {
    while (true) {
      try {
        channel.lock();
        return;
      } catch (ClosedByInterruptException | FileLockInterruptionException e) {
        throw e;
      } catch (IOException e) {
        // This fails too if there are no locks at all.
        if (channel.tryLock() != null) {
          return;
        }
        LockSupport.parkNanos(ASK_AGAIN_NANOS);
      }
    }
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      ThisProcess.release(file);
    }
  }
}
