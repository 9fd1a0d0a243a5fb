package dev.tarn.targetnode.store.log;

import dev.tarn.targetnode.store.disk.Disk;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** The names of the log's files. */
final class Segments {
  static final String DIRECTORY = "log";
  static final String MAGIC = "TARNLOG1";

  /** Required feature: records of versions other than null versions, and their tombstones. */
  static final long VERSIONS_FEATURE = 1;

  private static final String SUFFIX = ".segment";
  private static final String FORGOTTEN_SUFFIX = ".forgotten";

  private Segments() {}

  static String path(long number) {
    return DIRECTORY + "/" + String.format(Locale.ROOT, "%012d", number) + SUFFIX;
  }

  /** The empty file that says that the cached objects of a segment are forgotten. */
  static String forgottenPath(long number) {
    return DIRECTORY + "/" + String.format(Locale.ROOT, "%012d", number) + FORGOTTEN_SUFFIX;
  }

  /** The numbers of all segments, ascending. */
  static List<Long> list(Disk disk) throws IOException {
    return list(disk, SUFFIX);
  }

  /** The numbers of the segments whose cached objects are forgotten, ascending. */
  static List<Long> listForgotten(Disk disk) throws IOException {
    return list(disk, FORGOTTEN_SUFFIX);
  }

  private static List<Long> list(Disk disk, String suffix) throws IOException {
    return disk.list(DIRECTORY).stream()
        .filter(name -> name.matches("[0-9]{12}\\" + suffix))
        .map(name -> Long.parseLong(name, 0, 12, 10))
        .sorted()
        .toList();
  }
}
