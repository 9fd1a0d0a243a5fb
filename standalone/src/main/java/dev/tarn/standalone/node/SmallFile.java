package dev.tarn.standalone.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.Set;

/** Writes small files atomically, readable by their owner alone. */
public final class SmallFile {
  /**
   * Permissions that the file of a secret must not have. The group may read it, since containers
   * mount secrets that way.
   */
  private static final Set<PosixFilePermission> NOT_FOR_OTHERS =
      Set.of(
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private SmallFile() {}

  /** Whether others can read or change the file of a given secret. */
  public static boolean isOpenToOthers(Path file) throws IOException {
    return !Collections.disjoint(NOT_FOR_OTHERS, Files.getPosixFilePermissions(file));
  }

  /**
   * Whether everyone can read or change a file of this process. The group is not asked, since a
   * container platform lets it read and write the files of a volume.
   */
  public static boolean isOpenToEveryone(Path file) throws IOException {
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
    return permissions.contains(PosixFilePermission.OTHERS_READ)
        || permissions.contains(PosixFilePermission.OTHERS_WRITE);
  }

  /** Writes and syncs the file; if that fails the former file stays. */
  public static void write(Path file, String text) throws IOException {
    Path absolute = file.toAbsolutePath();
    Path temporary = absolute.resolveSibling(absolute.getFileName() + ".new");
    Files.deleteIfExists(temporary);
    try (FileChannel channel =
        FileChannel.open(
            temporary,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(temporary, absolute, StandardCopyOption.ATOMIC_MOVE);
    Path folder = absolute.getParent();
    if (folder != null) {
      try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
        directory.force(true);
      }
    }
  }
}
