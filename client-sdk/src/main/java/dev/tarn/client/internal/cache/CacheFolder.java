package dev.tarn.client.internal.cache;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;

/**
 * A folder that holds only what the SDK keeps. A file marks it: a folder with other files and
 * without the mark belongs to somebody else and is refused. Several processes may share it.
 */
public final class CacheFolder {
  /** The file whose presence says that the SDK may delete everything beside it. */
  static final String MARK = "tarn-cache";

  private static final String MARK_TEXT =
      "tarn-cache 1\nWhat lies here is a cache of Tarn's client SDK. When no process uses it, the"
          + " whole folder may be deleted.\n";

  /** A disk with less room counts as full. */
  private static final long ROOM_BYTES_MIN = 64 * 1024;

  private static final Set<PosixFilePermission> OWNERS =
      PosixFilePermissions.fromString("rwx------");

  private final Path folder;

  private CacheFolder(Path folder) {
    this.folder = folder;
  }

  /**
   * Opens a folder; makes it for its owner alone if it is missing.
   *
   * @throws FileSystemException if it is not a folder, {@linkplain #requireFit not fit}, or cannot
   *     be made or written to
   */
  public static CacheFolder open(Path folder) throws IOException {
    Path absolute = folder.toAbsolutePath();
    requireFit(absolute);
    try {
      make(absolute);
      // One path for all names of the folder, links included, since the locks of this process use
      // it.
      absolute = absolute.toRealPath();
    } catch (FileSystemException e) {
      throw unwritable(absolute, e);
    }
    // Checked again, since another process may have made and filled it meanwhile.
    requireOwn(absolute);
    Path mark = absolute.resolve(MARK);
    if (!Files.exists(mark)) {
      try {
        mark(absolute.resolve(MARK + "-" + UUID.randomUUID()), mark);
      } catch (FileSystemException e) {
        throw unwritable(absolute, e);
      }
    }
    requireKnown(absolute);
    return new CacheFolder(absolute);
  }

  /**
   * Requires that a folder is a cache or may become one, whether or not it can be written to.
   *
   * @throws FileSystemException if the path or one above it is a file, or the folder holds other
   *     files or a mark of another version
   */
  public static void requireFit(Path folder) throws IOException {
    Path absolute = folder.toAbsolutePath();
    Path there = absolute;
    while (there.getParent() != null && !Files.exists(there, LinkOption.NOFOLLOW_LINKS)) {
      there = there.getParent();
    }
    if (!Files.isDirectory(there)) {
      String what = whatIsNoFolder(there);
      throw refused(
          absolute,
          there.equals(absolute)
              ? "is %s, expected a folder for the cache".formatted(what)
              : "cannot be a folder for the cache, since %s is %s".formatted(there, what));
    }
    if (there.equals(absolute)) {
      requireOwn(absolute);
    }
  }

  private static String whatIsNoFolder(Path path) {
    if (Files.isSymbolicLink(path)) {
      return "a symbolic link to no folder";
    }
    // A root, such as a drive, may be missing.
    return Files.exists(path) ? "a file" : "not there";
  }

  /** Lists the folder only if it has no mark, since another process may be about to mark it. */
  private static void requireOwn(Path folder) throws IOException {
    if (Files.exists(folder.resolve(MARK))) {
      requireKnown(folder);
      return;
    }
    boolean hasOthers = false;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        hasOthers |= !String.valueOf(file.getFileName()).startsWith(MARK);
      }
    } catch (FileSystemException e) {
      throw unwritable(folder, e);
    }
    if (hasOthers && !Files.exists(folder.resolve(MARK))) {
      throw refused(folder, "holds files that do not belong to a cache of this SDK");
    }
  }

  private static FileSystemException refused(Path folder, String what) {
    return new FileSystemException(
        folder.toString(), null, what + ": name an empty folder, or one that is not there yet");
  }

  private static FileSystemException unwritable(Path folder, FileSystemException e) {
    String reason = e.getReason();
    if (e instanceof AccessDeniedException) {
      reason = "permission denied";
    } else if (e instanceof FileAlreadyExistsException) {
      reason = "it is a file";
    }
    FileSystemException failure =
        new FileSystemException(
            folder.toString(),
            null,
            "no cache can be made there: %s; name a folder that can be written to"
                .formatted(reason == null ? e : reason));
    failure.initCause(e);
    return failure;
  }

  private static void requireKnown(Path folder) throws IOException {
    Path mark = folder.resolve(MARK);
    String first = Files.isRegularFile(mark) ? Files.readString(mark) : "";
    if (!first.lines().limit(1).toList().equals(MARK_TEXT.lines().limit(1).toList())) {
      throw new FileSystemException(
          folder.toString(),
          null,
          "this version does not know its file %s; name another folder, or delete the file"
              .formatted(MARK));
    }
  }

  /** Makes the folder for its owner alone, since the kept data may be confidential. */
  private static void make(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    Path parent = folder.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    boolean isPosix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
    try {
      if (isPosix) {
        Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNERS));
      } else {
        Files.createDirectory(folder);
      }
    } catch (FileAlreadyExistsException e) {
      // Another process has made it meanwhile, or it is not a folder, which is reported below.
      Files.createDirectories(folder);
    }
  }

  private static void mark(Path written, Path mark) throws IOException {
    try {
      Files.writeString(written, MARK_TEXT);
      Files.move(written, mark, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(written);
    }
  }

  /** Whether the folder's disk is full, so that nothing can be made there. */
  public static boolean isDiskFull(Path folder) {
    try {
      Path there = folder.toAbsolutePath();
      while (there.getParent() != null && !Files.exists(there)) {
        there = there.getParent();
      }
      FileStore disk = Files.getFileStore(there);
      // A read-only disk often has no room, but making room would not help.
      return !disk.isReadOnly() && disk.getUsableSpace() < ROOM_BYTES_MIN;
    } catch (IOException e) {
      return false;
    }
  }

  /** Opens a folder within this one; makes it if it is missing. */
  public Path folder(String name) throws IOException {
    try {
      return Files.createDirectories(folder.resolve(name));
    } catch (FileSystemException e) {
      throw unwritable(folder.resolve(name), e);
    }
  }

  @Override
  public String toString() {
    return folder.toString();
  }
}
