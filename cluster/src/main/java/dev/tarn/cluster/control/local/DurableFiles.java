package dev.tarn.cluster.control.local;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Writes files durably: after a loss of power, each has either its old or its new content. The
 * files hold secrets, so only their owner can access them.
 */
final class DurableFiles {
  private static final Set<PosixFilePermission> OWNERS_DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> OWNERS_FILE =
      PosixFilePermissions.fromString("rw-------");

  private DurableFiles() {}

  /** Replaces a file: a new file is made durable, then renamed to this name. */
  static void replace(Path file, ByteBuffer... contents) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(temporary);
    try (FileChannel channel =
        FileChannel.open(
            temporary,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(OWNERS_FILE))) {
      for (ByteBuffer bytes : contents) {
        writeFully(channel, bytes);
      }
      channel.force(true);
    }
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    syncDirectory(requireNonNull(file.toAbsolutePath().getParent(), "a file has a parent"));
  }

  /** Creates the directory durably if it is missing, and makes it private to its owner. */
  static void createPrivateDirectory(Path directory) throws IOException {
    createDirectories(directory);
    Files.setPosixFilePermissions(directory, OWNERS_DIRECTORY);
  }

  /** Makes a file private to its owner, if it exists. */
  static void makePrivate(Path file) throws IOException {
    if (Files.exists(file)) {
      Files.setPosixFilePermissions(file, OWNERS_FILE);
    }
  }

  /** Creates the directory and its missing parents durably. */
  private static void createDirectories(Path directory) throws IOException {
    Path missing = directory.toAbsolutePath().normalize();
    if (Files.isDirectory(missing)) {
      return;
    }
    Path parent = missing.getParent();
    if (parent != null) {
      createDirectories(parent);
    }
    Files.createDirectories(missing);
    if (parent != null) {
      syncDirectory(parent);
    }
  }

  static void writeFully(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  private static void syncDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
