package dev.tarn.sharder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process takes that reads compressed shards here and there, with the sharder's options. */
final class ReshardMemoryTest {
  private static final int FILES = 3000;
  private static final long ANONYMOUS_BYTES_MAX = 300L << 20;
  private static final long LOOK_MS = 10;

  @TempDir Path directory;

  @Test
  void memoryDoesNotGrowWithTheReads() throws IOException, InterruptedException {
    Random random = new Random(1);
    Path source = Files.createDirectory(directory.resolve("source"));
    for (int i = 0; i < FILES; i++) {
      byte[] bytes = new byte[1000];
      random.nextBytes(bytes);
      Files.write(source.resolve(i + ".bin"), bytes);
    }
    Path old = directory.resolve("old");
    assertThat(CommandLineRun.of("pack", source, old, "--seed=1", "--compress=zstd").exitCode())
        .isZero();
    Path log = directory.resolve("log");
    Process reshard =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xms32m",
                "-Xmn16m",
                "-XX:MaxRAMPercentage=25",
                "-cp",
                System.getProperty("java.class.path"),
                SharderMain.class.getName(),
                "reshard",
                old.toString(),
                directory.resolve("new").toString(),
                "--jobs=16")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    long peak = 0;
    try {
      while (!reshard.waitFor(LOOK_MS, TimeUnit.MILLISECONDS)) {
        peak = Math.max(peak, anonymousBytes(reshard.pid()));
      }
    } finally {
      reshard.destroy();
    }

    assertThat(reshard.exitValue()).as(Files.readString(log, StandardCharsets.UTF_8)).isZero();
    assertThat(peak).isPositive().isLessThanOrEqualTo(ANONYMOUS_BYTES_MAX);
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
