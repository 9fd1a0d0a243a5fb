package dev.tarn.client.cache;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one open dataset reads, told to all processes that share a cache: by a file of names, locked
 * as long as the dataset is open and its process lives. Files whose lock is gone count for nothing.
 *
 * <p>Whoever opens or looks holds the cache's lock.
 */
final class Needs implements Closeable {
  /** Files of this process are never opened again: closing one would undo its lock. */
  private static final String PROCESS = UUID.randomUUID().toString();

  private final Path file;
  private final FileChannel channel;

  private Needs(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** Tells what a dataset reads, until it is closed. */
  static Needs open(Path folder, Collection<String> names) throws IOException {
    Path file = folder.resolve(PROCESS + "." + UUID.randomUUID());
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try {
      channel.lock();
      ByteBuffer text = StandardCharsets.US_ASCII.encode(String.join("\n", names));
      while (text.hasRemaining()) {
        channel.write(text);
      }
      return new Needs(file, channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      Files.deleteIfExists(file);
      throw e;
    }
  }

  /** What all open datasets read; null if none is open. */
  static @Nullable Set<String> ofAll(Path folder) throws IOException {
    Set<String> names = new HashSet<>();
    boolean hasAny = false;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        if (!isAlive(file)) {
          Files.deleteIfExists(file);
          continue;
        }
        try {
          names.addAll(Files.readAllLines(file, StandardCharsets.US_ASCII));
          hasAny = true;
        } catch (NoSuchFileException e) {
          // Its dataset was closed meanwhile.
        }
      }
    }
    return hasAny ? names : null;
  }

  private static boolean isAlive(Path file) throws IOException {
    if (String.valueOf(file.getFileName()).startsWith(PROCESS)) {
      return true;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      return channel.tryLock() == null;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(file);
    channel.close();
  }
}
