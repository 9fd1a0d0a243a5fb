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
 * A folder that holds what the SDK keeps and nothing else. A file in it says so: a folder that has
 * other files and not that one is somebody's, and left alone. Several processes may share it.
 */
public final class CacheFolder {
  /** Whose presence says that everything beside it is the SDK's to delete. */
  static final String MARK = "tarn-cache";

  private static final String MARK_TEXT =
      "tarn-cache 1\nWhat lies here is a cache of Tarn's client SDK. When no process uses it, the"
          + " whole folder may be deleted.\n";

  /** A disk with less room than this is full. */
  private static final long ROOM_BYTES_MIN = 64 * 1024;

  private static final Set<PosixFilePermission> OWNERS =
      PosixFilePermissions.fromString("rwx------");

  private final Path folder;

  private CacheFolder(Path folder) {
    this.folder = folder;
  }

  /**
   * Opens a folder, which is made if it is not there, for its owner alone.
   *
   * @throws FileSystemException if it is none, or {@linkplain #requireFit not fit}, or cannot be
   *     made or written to
   */
  public static CacheFolder open(Path folder) throws IOException {
    Path absolute = folder.toAbsolutePath();
    requireFit(absolute);
    try {
      make(absolute);
      // One path for all who name the folder, by links too: locks of this process go by it.
      absolute = absolute.toRealPath();
    } catch (FileSystemException e) {
      throw unwritable(absolute, e);
    }
    // Again: somebody else may have made and filled it meanwhile.
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
   * Makes sure that a folder is, or may become, a cache, whether or not it can be written to.
   *
   * @throws FileSystemException if it is no folder or below none, or holds other files, or a mark
   *     of another version
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
    // A root need not exist: a drive, for example.
    return Files.exists(path) ? "a file" : "not there";
  }

  /** Lists the folder only if it has no mark. Another process may be about to mark it. */
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
      throw refused(folder, "holds files that are no cache of this SDK's");
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
          "its file %s is not one that this version knows: name another folder, or delete it"
              .formatted(MARK));
    }
  }

  /** One that is made is its owner's alone: what is kept there may be nobody else's to read. */
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
      // Another process has made it meanwhile; or it is no folder, which is told below.
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

  /** Whether the disk is full that a folder is on, or would be: so nothing can be made there. */
  public static boolean isDiskFull(Path folder) {
    try {
      Path there = folder.toAbsolutePath();
      while (there.getParent() != null && !Files.exists(there)) {
        there = there.getParent();
      }
      FileStore disk = Files.getFileStore(there);
      // One that is only read often has no room left, but making room would not help.
      return !disk.isReadOnly() && disk.getUsableSpace() < ROOM_BYTES_MIN;
    } catch (IOException e) {
      return false;
    }
  }

  /** A folder in it, made if it is not there. */
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
