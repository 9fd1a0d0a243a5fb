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
 * A file that one thread of one process on this machine holds at a time; also when that process is
 * killed the next one gets it. It stays when it is let go: were it deleted, who waits for it would
 * hold one that nobody else will.
 */
public final class HeldFile implements Closeable {
  /** How often it is asked for a file again that the system refused to wait for. */
  private static final long ASK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final Path file;
  private final FileChannel channel;

  private HeldFile(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** Waits until nobody else holds the file, which is made if it is not there. */
  public static HeldFile hold(Path file) throws IOException {
    Path absolute = file.toAbsolutePath().normalize();
    ThisProcess.hold(absolute);
    try {
      FileChannel channel =
          FileChannel.open(absolute, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try {
        lock(channel);
        return new HeldFile(absolute, channel);
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
   * Waits for the system's lock. A system that looks for deadlocks refuses to wait where two
   * processes hold what the other one waits for, although it is other threads of them that wait.
   * There is none here: who holds a file waits for no other but the lock of its cache's room, and
   * who holds that for none. So the system is asked again.
   */
  private static void lock(FileChannel channel) throws IOException {
    while (true) {
      try {
        channel.lock();
        return;
      } catch (ClosedByInterruptException | FileLockInterruptionException e) {
        throw e;
      } catch (IOException e) {
        // Where there are no locks at all this fails, too.
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
