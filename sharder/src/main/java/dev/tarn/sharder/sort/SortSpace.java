package dev.tarn.sharder.sort;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.TemporaryFile;
import java.nio.file.Path;

/**
 * The memory and the folder of a sort.
 *
 * @param folder of its temporary files
 * @param bytesMax maximum memory in bytes
 */
public record SortSpace(Path folder, long bytesMax) {
  private static final long USUAL_BYTES_MAX = 96L * 1024 * 1024;

  public SortSpace {
    requireNonNull(folder, "folder is null");
    if (bytesMax <= 0) {
      throw new IllegalArgumentException("bytesMax is " + bytesMax);
    }
  }

  /** Returns the default memory (96 MiB), with this folder. */
  public static SortSpace in(Path folder) {
    return new SortSpace(folder, USUAL_BYTES_MAX);
  }

  /** Returns the default memory (96 MiB), with the system's temporary folder. */
  public static SortSpace usual() {
    return in(TemporaryFile.FOLDER);
  }
}
