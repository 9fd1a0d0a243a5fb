package dev.tarn.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The user and system CPU time of a process from {@code /proc/PID/stat}, over all its threads,
 * including ended ones.
 */
public final class ProcessCpu {
  // The kernel reports in USER_HZ, which is 100 on every Linux port that Tarn supports.
  private static final long NANOS_PER_TICK = 10_000_000;
  // Indexes from the field after the command's name, since that name may contain spaces.
  private static final int UTIME = 11;
  private static final int STIME = 12;

  private ProcessCpu() {}

  /** Nanoseconds of CPU time since the process started, in steps of 10 ms. */
  public static long nanos(long pid) throws IOException {
    return parse(Files.readString(Path.of("/proc", Long.toString(pid), "stat")));
  }

  static long parse(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", STIME + 2);
    return (Long.parseLong(fields[UTIME]) + Long.parseLong(fields[STIME])) * NANOS_PER_TICK;
  }
}
