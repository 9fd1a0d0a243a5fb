package dev.tarn.targetnode.store.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The files of one disk, named by paths relative to its root with '/' between their parts. All that
 * the store writes passes through here, so that a simulated disk can lose, reorder and tear what
 * was not synced; only the index, which is derived and can be rebuilt, keeps its files itself.
 *
 * <p>What a method changes is durable only after the sync that covers it: a file's bytes and length
 * after {@link DiskFile#sync}, a name made, removed or changed after {@link #syncDirectory} of its
 * directory.
 */
public interface Disk {
  /** A name for people: where the disk is. */
  String description();

  /** Where the index keeps its own files, which do not pass through this seam. */
  Path indexDirectory();

  /**
   * Keeps everybody else off the disk until what it gives is closed.
   *
   * @throws DiskInUseException if somebody else has it
   */
  Closeable lock() throws IOException;

  /** Makes a directory whose parent is there; does nothing where there is one already. */
  void createDirectory(String path) throws IOException;

  /** The names in a directory, without their paths, in no order. */
  List<String> list(String directory) throws IOException;

  /** Makes an empty file that must not be there yet. */
  DiskFile create(String path) throws IOException;

  /** Opens a file for reading and writing. */
  DiskFile open(String path) throws IOException;

  /** Whether there is such a file or directory. */
  boolean exists(String path) throws IOException;

  /** Removes a file; does nothing where there is none. Open files stay readable. */
  void delete(String path) throws IOException;

  /** Gives a file another name in one step, replacing what had it. */
  void rename(String from, String to) throws IOException;

  /** Makes the names in a directory durable. */
  void syncDirectory(String directory) throws IOException;

  /** How many bytes can still be written. */
  long usableBytes() throws IOException;

  /** How many bytes the disk has in all. */
  long totalBytes() throws IOException;
}
