package dev.tarn.targetnode.store.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The files of one disk, named by paths relative to its root, with '/' as separator. Everything
 * that the store writes goes through this interface, so that a simulated disk can lose, reorder and
 * tear unsynced writes. Only the index keeps its files itself: it is derived and can be rebuilt.
 *
 * <p>A change is durable only after the sync that covers it. That is {@link DiskFile#sync} for a
 * file's bytes and length, and {@link #syncDirectory} for a name created, removed or changed in a
 * directory.
 */
public interface Disk {
  /** The location of the disk, for messages to people. */
  String description();

  /** The greatest length of {@link #boot} in characters. */
  int BOOT_LENGTH_MAX = 64;

  /**
   * Identifies the present run of the operating system, from its boot on; 1 to {@link
   * #BOOT_LENGTH_MAX} characters. Bytes that were written under another boot and not synced may be
   * lost.
   */
  String boot();

  /** The directory of the index's own files, which do not go through this interface. */
  Path indexDirectory();

  /**
   * Locks the disk against other users until the result is closed.
   *
   * @throws DiskInUseException if the disk is in use
   */
  Closeable lock() throws IOException;

  /** Creates a directory whose parent exists; does nothing if the directory exists. */
  void createDirectory(String path) throws IOException;

  /** The names in a directory, without their paths, in no particular order. */
  List<String> list(String directory) throws IOException;

  /** Creates an empty file, which must not exist yet. */
  DiskFile create(String path) throws IOException;

  /** Opens a file for reading and writing. */
  DiskFile open(String path) throws IOException;

  /** Whether this file or directory exists. */
  boolean exists(String path) throws IOException;

  /** Removes a file; does nothing if it does not exist. Open files stay readable. */
  void delete(String path) throws IOException;

  /** Renames a file in one step and replaces a file that has the new name. */
  void rename(String from, String to) throws IOException;

  /** Makes the names in a directory durable. */
  void syncDirectory(String directory) throws IOException;

  /** The number of bytes that can still be written. */
  long usableBytes() throws IOException;

  /** The size of the disk in bytes. */
  long totalBytes() throws IOException;
}
