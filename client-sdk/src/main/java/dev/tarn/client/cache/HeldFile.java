package dev.tarn.client.cache;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that one thread of one process on this machine holds at a time; also when that process is
 * killed the next one gets it. It stays when it is let go: were it deleted, who waits for it would
 * hold one that nobody else will.
 */
public final class HeldFile implements Closeable {
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
        channel.lock();
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

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      ThisProcess.release(file);
    }
  }
}
