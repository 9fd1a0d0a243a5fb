package dev.tarn.targetnode.cache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files in which a disk keeps the units of cached objects. */
final class StoredExtents {
  private static final int HEADER_BYTES = 4096;

  private StoredExtents() {}

  static List<Path> in(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".extent")).toList();
    }
  }

  /** Flips a bit of the byte at this position of the unit. */
  static void damage(Path extent, int position) throws IOException {
    byte[] held = Files.readAllBytes(extent);
    held[HEADER_BYTES + position] ^= 1;
    Files.write(extent, held);
  }
}
