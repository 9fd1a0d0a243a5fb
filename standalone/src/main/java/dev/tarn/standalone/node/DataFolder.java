package dev.tarn.standalone.node;

import dev.tarn.sharder.cli.output.FailureHandler;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The data folder of one process, locked as long as the process runs. */
public final class DataFolder implements AutoCloseable {
  private static final String LOCK = "lock";
  private static final String CONTROL = "control";
  private static final String NODE = "node";

  /** A file system of its own begins with this folder. */
  private static final String LOST_AND_FOUND = "lost+found";

  private static final Set<String> MARKS = Set.of(LOCK, CONTROL, NODE);

  private final Path folder;
  private final FileChannel lock;

  private DataFolder(Path folder, FileChannel lock) {
    this.folder = folder;
    this.lock = lock;
  }

  /**
   * The default folder: {@code tarn} in XDG_DATA_HOME, or in ~/.local/share if that is not an
   * absolute path.
   */
  public static Path defaultFolder(Map<String, String> environment) {
    String xdg = environment.getOrDefault("XDG_DATA_HOME", "");
    Path home = Path.of(environment.getOrDefault("HOME", System.getProperty("user.home", ".")));
    Path base = Path.of(xdg).isAbsolute() ? Path.of(xdg) : home.resolve(".local/share");
    return base.resolve("tarn");
  }

  /**
   * Creates the folder if it is missing, and locks it.
   *
   * @throws StartFailure if the folder is in use by another process, holds files of others, or
   *     cannot be written
   */
  public static DataFolder open(Path path) throws StartFailure {
    Path folder = path.toAbsolutePath().normalize();
    try {
      requireOwn(folder);
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      FileChannel channel =
          FileChannel.open(
              folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
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
      throw new StartFailure(
          "the data folder " + folder + " cannot be used: " + FailureHandler.message(e), e);
    }
  }

  /**
   * Whether a process has used the folder before. Its first start creates the lock file; a restored
   * backup may hold only the folders of the control plane or the node.
   */
  public static boolean isInUse(Path folder) {
    return MARKS.stream().anyMatch(mark -> Files.exists(folder.resolve(mark)));
  }

  /** Throws if the folder is a file, or holds files and was never a data folder. */
  private static void requireOwn(Path folder) throws IOException, StartFailure {
    if (!Files.exists(folder) || isInUse(folder)) {
      return;
    }
    if (!Files.isDirectory(folder)) {
      throw new StartFailure(
          "the data folder " + folder + " is a file; give --data a folder, or remove the file");
    }
    try (Stream<Path> entries = Files.list(folder)) {
      List<String> others =
          entries
              .map(entry -> String.valueOf(entry.getFileName()))
              .filter(name -> !name.equals(LOST_AND_FOUND))
              .sorted()
              .limit(1)
              .toList();
      if (!others.isEmpty()) {
        throw new StartFailure(
            "the data folder "
                + folder
                + " holds files that are not Tarn's, such as "
                + others.get(0)
                + "; give --data a new or empty folder");
      }
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

  /** The folder of the control plane's log. */
  public Path control() {
    return folder.resolve(CONTROL);
  }

  /** The folder of the target node's records about its disks. */
  public Path node() {
    return folder.resolve(NODE);
  }

  /** The folder of the objects, if no disks are given. */
  public Path defaultDisk() {
    return folder.resolve("disk");
  }

  /** The file that holds the ready line while the process serves. */
  public static Path readyFile(Path folder) {
    return folder.resolve("ready");
  }

  /** The file with the key pair that the first start generated. */
  public static Path credentialsFile(Path folder) {
    return folder.resolve("credentials");
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
