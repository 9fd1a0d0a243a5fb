package dev.tarn.client.storage;

import dev.tarn.client.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.UUID;

/**
 * Writes a file under a temporary name in the same directory; then syncs it, renames it, and syncs
 * the directory.
 */
final class LocalWriter extends ObjectWriter {
  /** Files whose names begin with this are unfinished; listings leave them out. */
  static final String TEMPORARY_PREFIX = ".tarn-part-";

  /** Length of the random end of a temporary name, which no two writers share. */
  static final int RANDOM_LENGTH = 36;

  /** As in {@link LocalStream}: the JDK copies heap arrays before it writes them. */
  private static final int WRITE_BYTES_MAX = 256 * 1024;

  private final StorageUrl url;
  private final Path destination;
  private final Path directory;
  private final Path temporary;
  private final FileChannel channel;

  private LocalWriter(StorageUrl url, Path destination, Path directory, Path temporary)
      throws IOException {
    this.url = url;
    this.destination = destination;
    this.directory = directory;
    this.temporary = temporary;
    this.channel =
        FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  static LocalWriter create(StorageUrl url) throws IOException {
    Path destination = LocalFiles.path(url);
    Path directory = destination.getParent();
    if (directory == null || url.path().endsWith("/") || Files.isDirectory(destination)) {
      throw new StorageException(Kind.INVALID, url, "is a directory, expected a file's name");
    }
    LocalFiles.makeDirectories(directory);
    Path temporary = directory.resolve(temporaryPrefix(destination) + UUID.randomUUID());
    return new LocalWriter(url, destination, directory, temporary);
  }

  /** The common start of the names of a destination's temporary files. */
  static String temporaryPrefix(Path destination) {
    return TEMPORARY_PREFIX + UUID.nameUUIDFromBytes(LocalFiles.nameBytes(destination)) + "-";
  }

  @Override
  public StorageUrl url() {
    return url;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    int length = source.remaining();
    int limit = source.limit();
    try {
      while (source.position() < limit) {
        source.limit(Math.min(limit, source.position() + WRITE_BYTES_MAX));
        channel.write(source);
      }
    } catch (IOException e) {
      throw LocalFiles.translate(url, "cannot write it", e);
    } finally {
      source.limit(limit);
    }
    return length;
  }

  @Override
  public StoredObject commit() throws IOException {
    try {
      channel.force(true);
      channel.close();
      Files.move(
          temporary,
          destination,
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
      LocalFiles.syncDirectory(directory);
      return LocalFiles.describe(url, Files.readAttributes(destination, BasicFileAttributes.class));
    } catch (IOException e) {
      throw LocalFiles.translate(url, "cannot finish it", e);
    }
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(temporary);
  }
}
