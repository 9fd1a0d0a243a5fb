package dev.tarn.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The bytes that a process has written to block devices, from {@code /proc/PID/io}. */
public final class ProcessDisk {
  private ProcessDisk() {}

  /**
   * The bytes written since the process started, without those of files that were removed before
   * they reached the device. In memory file systems count for nothing.
   */
  public static long writtenBytes(long pid) throws IOException {
    return parse(Files.readString(Path.of("/proc", Long.toString(pid), "io")));
  }

  static long parse(String io) throws IOException {
    return field(io, "write_bytes: ") - field(io, "cancelled_write_bytes: ");
  }

  private static long field(String io, String name) throws IOException {
    return io.lines()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.substring(name.length())))
        .findFirst()
        .orElseThrow(() -> new IOException("there is no " + name.strip() + " in " + io));
  }
}
