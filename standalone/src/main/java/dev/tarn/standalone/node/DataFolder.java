package dev.tarn.standalone.node;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tarn.sharder.cli.output.FailureHandler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The data folder of one process, locked as long as the process runs.
 *
 * <p>A folder counts as Tarn's if it holds a file that begins as only Tarn's files do. Names do not
 * suffice: folders of others may hold a file {@code lock} or a folder {@code node}. The first start
 * writes the first such file, the lock file. A restored backup may lack that file, and earlier
 * builds left it empty.
 */
public final class DataFolder implements AutoCloseable {
  private static final String LOCK = "lock";
  private static final String CONTROL = "control";
  private static final String NODE = "node";
  private static final String KNOWN_STATE = CONTROL + "/known-state";

  /** A file system of its own begins with this folder. */
  private static final String LOST_AND_FOUND = "lost+found";

  private static final String LOCK_TEXT = "Tarn data folder\n";

  /** How files begin that make a folder Tarn's. */
  private static final Map<String, String> MARKS =
      Map.of(
          LOCK,
          LOCK_TEXT,
          CONTROL + "/log",
          "TARNCLOG",
          CONTROL + "/snapshot",
          "TARNCSNP",
          KNOWN_STATE,
          "TARNCSNP",
          NODE + "/disks.properties",
          "#The disks of this target node. Kept by Tarn.");

  private final Path folder;
  private final FileChannel lock;

  /** Whether the process of a folder has got a state from a control node. */
  public static boolean hasFollowedControl(Path folder) {
    return Files.exists(folder.resolve(KNOWN_STATE));
  }

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
      if (channel.size() == 0) {
        channel.write(US_ASCII.encode(LOCK_TEXT));
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

  /** Whether a process has used the folder before; false if that cannot be read. */
  public static boolean isInUse(Path folder) {
    try {
      return isMarked(folder);
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isMarked(Path folder) throws IOException {
    for (Map.Entry<String, String> mark : MARKS.entrySet()) {
      if (begins(folder.resolve(mark.getKey()), mark.getValue())) {
        return true;
      }
    }
    return false;
  }

  private static boolean begins(Path file, String text) throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    byte[] expected = text.getBytes(US_ASCII);
    try (InputStream in = Files.newInputStream(file)) {
      return Arrays.equals(in.readNBytes(expected.length), expected);
    }
  }

  /** Throws if the folder is a file, or holds files and was never a data folder. */
  private static void requireOwn(Path folder) throws IOException, StartFailure {
    if (!Files.exists(folder) || isMarked(folder)) {
      return;
    }
    if (!Files.isDirectory(folder)) {
      throw new StartFailure(
          "the data folder " + folder + " is a file; give --data a folder, or remove the file");
    }
    try (Stream<Path> entries = Files.list(folder)) {
      List<String> others = new ArrayList<>();
      for (Path entry : entries.sorted().toList()) {
        if (!isOfAnEarlyStart(entry)) {
          others.add(String.valueOf(entry.getFileName()));
        }
      }
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

  /** Whether the entry is empty, as a start leaves it that ends before it writes anything. */
  private static boolean isOfAnEarlyStart(Path entry) throws IOException {
    String name = String.valueOf(entry.getFileName());
    if (name.equals(LOCK)) {
      return Files.isRegularFile(entry) && Files.size(entry) == 0;
    }
    if (name.equals(CONTROL) || name.equals(NODE)) {
      return Files.isDirectory(entry) && isEmpty(entry);
    }
    return name.equals(LOST_AND_FOUND);
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.findAny().isEmpty();
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
