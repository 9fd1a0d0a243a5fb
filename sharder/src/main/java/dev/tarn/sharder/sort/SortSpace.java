package dev.tarn.sharder.sort;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;

/**
 * What a sort may take.
 *
 * @param folder of its temporary files
 * @param bytesMax in memory
 */
public record SortSpace(Path folder, long bytesMax) {
  private static final long USUAL_BYTES_MAX = 96L * 1024 * 1024;

  public SortSpace {
    requireNonNull(folder, "folder is null");
    if (bytesMax <= 0) {
      throw new IllegalArgumentException("bytesMax is " + bytesMax);
    }
  }

  /** The usual memory, and a folder for what it does not hold. */
  public static SortSpace in(Path folder) {
    return new SortSpace(folder, USUAL_BYTES_MAX);
  }

  /** The usual memory, and the system's folder of temporary files. */
  public static SortSpace usual() {
    return in(Path.of(System.getProperty("java.io.tmpdir", "/tmp")));
  }
}
