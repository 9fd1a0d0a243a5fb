package dev.tarn.sharder.pack;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.sharder.source.LocalPaths;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a second run out of a local folder that one packs into, since it would throw away what the
 * first has under way. A lock of the operating system on a file there, which ends with its process.
 * Objects have none, nor have file systems without locks: there a run finds out at its end that
 * another replaced its files.
 */
public final class PackLock implements AutoCloseable {
  /** Each is lost only if another run ends in that moment. */
  private static final int ATTEMPTS_MAX = 100;

  /** Null where there is nothing to lock. */
  private final @Nullable Path file;

  private final @Nullable FileChannel channel;

  /** Which of the files that had that name over time. */
  private final Object key;

  private PackLock(@Nullable Path file, @Nullable FileChannel channel, Object key) {
    this.file = file;
    this.channel = channel;
    this.key = key;
  }

  /**
   * Locks a folder, and makes it if it is not there.
   *
   * @param dataset the folder that is packed into
   * @throws IOException if another run packs into it
   */
  public static PackLock take(StorageUrl dataset) throws IOException {
    if (dataset.scheme() != StorageUrl.Scheme.FILE) {
      return new PackLock(null, null, dataset);
    }
    Path file = LocalPaths.of(dataset.child(StoredPlan.LOCK));
    for (int i = 0; i < ATTEMPTS_MAX; i++) {
      PackLock lock = attempt(dataset, file);
      if (lock != null) {
        return lock;
      }
    }
    throw taken(dataset);
  }

  /**
   * Null if the file was deleted meanwhile, as who holds it does at last: its lock says nothing.
   */
  private static @Nullable PackLock attempt(StorageUrl dataset, Path file) throws IOException {
    Files.createDirectories(requireNonNull(file.getParent(), "it lies in a folder"));
    FileChannel channel = null;
    boolean locked = false;
    try {
      create(file);
      Object before = key(file);
      channel = FileChannel.open(file, StandardOpenOption.WRITE);
      lock(dataset, channel);
      locked = before.equals(key(file));
      return locked ? new PackLock(file, channel, before) : null;
    } catch (NoSuchFileException e) {
      return null;
    } finally {
      if (channel != null && !locked) {
        channel.close();
      }
    }
  }

  private static void create(Path file) throws IOException {
    try {
      Files.createFile(file);
    } catch (FileAlreadyExistsException e) {
      // Another run holds it, or was killed.
    }
  }

  private static Object key(Path file) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    return attributes.fileKey() == null ? file : attributes.fileKey();
  }

  private static void lock(StorageUrl dataset, FileChannel channel) throws IOException {
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    } catch (IOException e) {
      // The file system has no locks.
      return;
    }
    if (lock == null) {
      throw taken(dataset);
    }
  }

  private static IOException taken(StorageUrl dataset) {
    return new IOException(
        dataset + ": another run packs into it: wait until that has ended, or choose another DEST");
  }

  /**
   * Deletes the file while it is locked, so that nobody locks one that is about to go, unless that
   * was done and another run has its own there.
   */
  @Override
  public void close() throws IOException {
    if (file == null || channel == null) {
      return;
    }
    try (channel) {
      if (key.equals(key(file))) {
        Files.delete(file);
      }
    } catch (NoSuchFileException e) {
      // It went with the plan.
    }
    try {
      Files.deleteIfExists(requireNonNull(file.getParent(), "it lies in a folder"));
    } catch (DirectoryNotEmptyException e) {
      // The plan is still there, to go on with.
    }
  }
}
