package dev.tarn.sharder;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A class that was run by a JVM of its own, with the options that bin/options.bash gives the
 * sharder.
 *
 * @param exitCode what it ended with
 * @param output what it printed
 * @param peakAnonymousBytes the most that was seen, looking every few milliseconds
 */
public record MeasuredJvm(int exitCode, String output, long peakAnonymousBytes) {
  private static final long LOOK_MS = 10;

  /**
   * Runs a class to its end.
   *
   * @param log where its output goes
   */
  public static MeasuredJvm run(Path log, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-Xms32m", "-Xmn16m", "-XX:MaxRAMPercentage=25"));
    command.addAll(List.of("-XX:MaxDirectMemorySize=64m", "-cp"));
    command.addAll(List.of(System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    long peak = 0;
    try {
      while (!process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS)) {
        peak = Math.max(peak, anonymousBytes(process.pid()));
      }
    } finally {
      process.destroy();
    }
    String output = Files.readString(log, StandardCharsets.UTF_8);
    return new MeasuredJvm(process.exitValue(), output, peak);
  }

  /** Zero when the process has ended. */
  private static long anonymousBytes(long pid) {
    List<String> status;
    try {
      status = Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"));
    } catch (IOException e) {
      return 0;
    }
    return status.stream()
        .filter(line -> line.startsWith("RssAnon:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
        .findFirst()
        .orElse(0);
  }
}
