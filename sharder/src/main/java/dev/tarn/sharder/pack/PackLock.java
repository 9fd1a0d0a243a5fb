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
 * Locks a local destination, because a second run would discard the unfinished files of the first.
 * The lock is a file lock of the operating system, so it ends with its process. Object storage and
 * file systems without locks are not locked: there a run detects only at its end that another run
 * replaced its files.
 */
public final class PackLock implements AutoCloseable {
  /** An attempt fails only if another run ends at that moment. */
  private static final int ATTEMPTS_MAX = 100;

  /** Null if the destination cannot be locked. */
  private final @Nullable Path file;

  private final @Nullable FileChannel channel;

  /** Identifies the locked file among all files that had this name over time. */
  private final Object key;

  private PackLock(@Nullable Path file, @Nullable FileChannel channel, Object key) {
    this.file = file;
    this.channel = channel;
    this.key = key;
  }

  /**
   * Locks a folder, and creates it if it does not exist.
   *
   * @param dataset the destination folder
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
   * Returns null if the file was deleted in the meantime: a run deletes its lock file at its end,
   * and a lock on a deleted file has no effect.
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
        dataset
            + ": another run is packing into it; wait until it has ended, or choose another DEST");
  }

  /**
   * Deletes the file while it is locked, so that nobody locks a file that is about to be deleted.
   * Keeps the file if it now belongs to another run.
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
      // It was deleted with the plan.
    }
    try {
      Files.deleteIfExists(requireNonNull(file.getParent(), "it lies in a folder"));
    } catch (DirectoryNotEmptyException e) {
      // The plan is still there, so that a later run can resume.
    }
  }
}
