package dev.tarn.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The anonymous memory of a process, from {@code /proc/PID/status}. */
public final class ProcessMemory {
  private static final String FIELD = "RssAnon:";

  private ProcessMemory() {}

  /** The bytes resident now; 0 if the process has ended. */
  public static long anonymousBytes(long pid) {
    try {
      return parse(Files.readString(Path.of("/proc", Long.toString(pid), "status")));
    } catch (IOException e) {
      return 0;
    }
  }

  static long parse(String status) {
    return status
        .lines()
        .filter(line -> line.startsWith(FIELD))
        .mapToLong(line -> kibibytes(line) * 1024)
        .findFirst()
        .orElse(0);
  }

  private static long kibibytes(String line) {
    return Long.parseLong(line.substring(FIELD.length()).replace("kB", "").strip());
  }
}
