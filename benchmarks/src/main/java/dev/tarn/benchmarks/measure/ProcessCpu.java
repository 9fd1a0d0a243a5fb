package dev.tarn.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The CPU time of a process, user and system, over all its threads, living and ended, from {@code
 * /proc/PID/stat}.
 */
public final class ProcessCpu {
  // The kernel reports in USER_HZ, which is fixed at 100 for user space on every Linux port of
  // ours.
  private static final long NANOS_PER_TICK = 10_000_000;
  // Counted from the field after the command's name, which may itself contain spaces.
  private static final int UTIME = 11;
  private static final int STIME = 12;

  private ProcessCpu() {}

  /** Nanoseconds since the process began, in steps of ten milliseconds. */
  public static long nanos(long pid) throws IOException {
    return parse(Files.readString(Path.of("/proc", Long.toString(pid), "stat")));
  }

  static long parse(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", STIME + 2);
    return (Long.parseLong(fields[UTIME]) + Long.parseLong(fields[STIME])) * NANOS_PER_TICK;
  }
}
