package dev.tarn.client.cache;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/**
 * A file that one thread of one process on this machine holds at a time; also when that process is
 * killed the next one gets it.
 */
public final class HeldFile implements Closeable {
  /**
   * Those of this process: to it the system's lock would not be one. It would even be lost when
   * another channel of the file were closed.
   */
  private static final Set<Path> HELD = new HashSet<>();

  private final Path file;
  private final FileChannel channel;

  private HeldFile(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** Waits until nobody else holds the file, which is made if it is not there. */
  public static HeldFile hold(Path file) throws IOException {
    Path absolute = file.toAbsolutePath().normalize();
    enter(absolute);
    try {
      FileChannel channel =
          FileChannel.open(absolute, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try {
        channel.lock();
        return new HeldFile(absolute, channel);
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      leave(absolute);
      throw e;
    }
  }

  /** Deletes the file: who waits for it gets one that nobody else will. */
  public void delete() throws IOException {
    Files.deleteIfExists(file);
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      leave(file);
    }
  }

  private static void enter(Path file) throws IOException {
    synchronized (HELD) {
      try {
        while (!HELD.add(file)) {
          HELD.wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException)
            new InterruptedIOException("interrupted while waiting for " + file).initCause(e);
      }
    }
  }

  private static void leave(Path file) {
    synchronized (HELD) {
      HELD.remove(file);
      HELD.notifyAll();
    }
  }
}
