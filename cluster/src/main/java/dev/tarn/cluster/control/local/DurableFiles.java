package dev.tarn.cluster.control.local;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writing files so that after a power cut each is there as it was or as it should be. */
final class DurableFiles {
  private DurableFiles() {}

  /** Puts the bytes under this name: a new file is made durable, then takes the name at once. */
  static void replace(Path file, ByteBuffer... contents) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".new");
    try (FileChannel channel =
        FileChannel.open(
            temporary,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      for (ByteBuffer bytes : contents) {
        writeFully(channel, bytes);
      }
      channel.force(true);
    }
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    syncDirectory(requireNonNull(file.toAbsolutePath().getParent(), "a file has a parent"));
  }

  /** Makes the directory and the entries of those made on the way to it durable. */
  static void createDirectories(Path directory) throws IOException {
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
