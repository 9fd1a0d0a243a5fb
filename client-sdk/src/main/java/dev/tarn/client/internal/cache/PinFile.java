package dev.tarn.client.internal.cache;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The needs of one open dataset or epoch, announced to all processes that share a cache. One file
 * lists the names. Another is locked until the dataset is closed, or the epoch or the process ends.
 * The names do not count once that lock is released.
 *
 * <p>Callers hold a lock of the cache to open, change or read needs. They may close without one: a
 * process that reads at that moment acts as if this process had been killed.
 */
final class PinFile implements Closeable {
  private static final String LOCK = ".lock";

  private final Path names;
  private final Path lock;
  private final FileChannel lockChannel;

  /** The offset at which the next name is written. */
  private long end;

  private PinFile(Path names, Path lock, FileChannel lockChannel, long end) {
    this.names = names;
    this.lock = lock;
    this.lockChannel = lockChannel;
    this.end = end;
  }

  /**
   * The needs of all open datasets and epochs.
   *
   * @param names of what is needed
   * @param reservedBytes room that they have taken and may not have used
   * @param anyOpen whether there is any
   * @param anyKilled whether there was one whose process did not close it
   */
  record All(Set<String> names, long reservedBytes, boolean anyOpen, boolean anyKilled) {}

  /** Declares needs until it is closed. */
  static PinFile open(Path folder, Collection<String> needed) throws IOException {
    String own = ThisProcess.name() + "." + UUID.randomUUID();
    Path names = folder.resolve(own);
    Path lock = folder.resolve(own + LOCK);
    // This process never opens the file again: closing it once would release its lock.
    FileChannel locked =
        FileChannel.open(lock, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try {
      locked.lock();
      try (FileChannel written =
          FileChannel.open(names, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        String lines = line(0) + lines(needed);
        write(written, 0, lines);
        return new PinFile(names, lock, locked, lines.length());
      }
    } catch (IOException | RuntimeException e) {
      locked.close();
      Files.deleteIfExists(lock);
      Files.deleteIfExists(names);
      throw e;
    }
  }

  /** Declares how much room is taken and not used yet, in case this process is killed. */
  void reserve(long bytes) throws IOException {
    // Opened for each write, since an interrupt of one thread would close a shared channel.
    try (FileChannel written = FileChannel.open(names, StandardOpenOption.WRITE)) {
      write(written, 0, line(bytes));
    }
  }

  /** Adds a name. */
  void add(String name) throws IOException {
    String line = lines(List.of(name));
    try (FileChannel written = FileChannel.open(names, StandardOpenOption.WRITE)) {
      write(written, end, line);
    }
    end += line.length();
  }

  private static String lines(Collection<String> names) {
    StringBuilder lines = new StringBuilder();
    names.forEach(name -> lines.append(name).append('\n'));
    return lines.toString();
  }

  private static String line(long bytes) {
    return "%020d\n".formatted(Math.max(0, bytes));
  }

  private static void write(FileChannel file, long position, String text) throws IOException {
    ByteBuffer bytes = US_ASCII.encode(text);
    for (long at = position; bytes.hasRemaining(); ) {
      at += file.write(bytes, at);
    }
  }

  /** Reads the needs of all open datasets and epochs; deletes the files of killed processes. */
  static All all(Path folder) throws IOException {
    Set<String> names = new HashSet<>();
    long reserved = 0;
    boolean anyOpen = false;
    boolean anyKilled = false;
    try (DirectoryStream<Path> locks = Files.newDirectoryStream(folder, "*" + LOCK)) {
      for (Path lock : locks) {
        String path = lock.toString();
        Path file = Path.of(path.substring(0, path.length() - LOCK.length()));
        if (!isHeld(lock)) {
          Files.deleteIfExists(file);
          Files.deleteIfExists(lock);
          anyKilled = true;
          continue;
        }
        anyOpen = true;
        try {
          List<String> lines = Files.readAllLines(file, US_ASCII);
          reserved += Long.parseLong(lines.get(0));
          names.addAll(lines.subList(1, lines.size()));
        } catch (NoSuchFileException e) {
          // Its dataset could not get the cache's lock when it was closed.
        }
      }
    }
    return new All(names, reserved, anyOpen, anyKilled);
  }

  private static boolean isHeld(Path lock) throws IOException {
    if (String.valueOf(lock.getFileName()).startsWith(ThisProcess.name() + ".")) {
      return true;
    }
    try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE)) {
      return channel.tryLock() == null;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    try {
      Files.deleteIfExists(names);
      Files.deleteIfExists(lock);
    } finally {
      lockChannel.close();
    }
  }
}
