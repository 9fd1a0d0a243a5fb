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
 * Writing files so that after a power cut each is there as it was or as it should be. They hold
 * secrets: they are their owner's alone.
 */
final class DurableFiles {
  private static final Set<PosixFilePermission> OWNERS_DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> OWNERS_FILE =
      PosixFilePermissions.fromString("rw-------");

  private DurableFiles() {}

  /** Puts the bytes under this name: a new file is made durable, then takes the name at once. */
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

  /** Makes the directory durably where it is missing, and takes it from everybody but its owner. */
  static void createPrivateDirectory(Path directory) throws IOException {
    createDirectories(directory);
    Files.setPosixFilePermissions(directory, OWNERS_DIRECTORY);
  }

  /** Takes a file from everybody but its owner, if it is there. */
  static void makePrivate(Path file) throws IOException {
    if (Files.exists(file)) {
      Files.setPosixFilePermissions(file, OWNERS_FILE);
    }
  }

  /** Makes the directory and the entries of those made on the way to it durable. */
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
