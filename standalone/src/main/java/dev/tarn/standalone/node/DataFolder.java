package dev.tarn.standalone.node;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/** The folder of one process, held by a lock for as long as the process runs. */
public final class DataFolder implements AutoCloseable {
  private final Path folder;
  private final FileChannel lock;

  private DataFolder(Path folder, FileChannel lock) {
    this.folder = folder;
    this.lock = lock;
  }

  /** Where it is unless somebody says otherwise: XDG_DATA_HOME, else ~/.local/share. */
  public static Path defaultFolder(Map<String, String> environment) {
    String xdg = environment.getOrDefault("XDG_DATA_HOME", "");
    Path home = Path.of(environment.getOrDefault("HOME", System.getProperty("user.home", ".")));
    Path base = Path.of(xdg).isAbsolute() ? Path.of(xdg) : home.resolve(".local/share");
    return base.resolve("tarn");
  }

  /**
   * Makes the folder where it is missing and locks it.
   *
   * @throws StartFailure if another process has it, or it cannot be written
   */
  public static DataFolder open(Path path) throws StartFailure {
    Path folder = path.toAbsolutePath().normalize();
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new StartFailure(
          "the data folder " + folder + " is a file; give --data a folder, or remove the file");
    }
    try {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      FileChannel channel =
          FileChannel.open(
              folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!isLocked(channel)) {
        channel.close();
        throw new StartFailure(
            "another process serves the data folder "
                + folder
                + "; stop it or give --data another folder");
      }
      return new DataFolder(folder, channel);
    } catch (AccessDeniedException e) {
      throw new StartFailure(
          "the data folder " + folder + " cannot be written: permission denied", e);
    } catch (IOException e) {
      throw new StartFailure("the data folder " + folder + " cannot be used: " + e, e);
    }
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  public Path path() {
    return folder;
  }

  /** Of the control plane's log. */
  public Path control() {
    return folder.resolve("control");
  }

  /** Of what the target node knows of its disks. */
  public Path node() {
    return folder.resolve("node");
  }

  /** Of the objects, where no disks are given. */
  public Path defaultDisk() {
    return folder.resolve("disk");
  }

  /** Where the ready line is while the process serves. */
  public static Path readyFile(Path folder) {
    return folder.resolve("ready");
  }

  /** Where the pair is that was made at the first start. */
  public static Path credentialsFile(Path folder) {
    return folder.resolve("credentials");
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
