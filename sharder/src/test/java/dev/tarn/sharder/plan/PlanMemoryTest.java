package dev.tarn.sharder.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a process takes that plans: with the sharder's own JVM options, and few files unless the
 * profile "soak" asks for many.
 */
final class PlanMemoryTest {
  private static final long FILES = Long.getLong("soak.files", 400_000);
  private static final boolean SOAK = FILES > 1_000_000;
  private static final long SORT_BYTES = (SOAK ? 96L : 8L) << 20;
  private static final long ANONYMOUS_BYTES_MAX = (SOAK ? 512L : 128) << 20;
  private static final long LOOK_MS = 10;

  @TempDir Path directory;

  @Test
  void memoryOfAPlanDoesNotGrowWithItsFiles() throws IOException, InterruptedException {
    Path log = directory.resolve("log");
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xms32m",
                "-Xmn16m",
                "-XX:MaxRAMPercentage=25",
                "-XX:MaxDirectMemorySize=64m",
                "-cp",
                System.getProperty("java.class.path"),
                SyntheticPlan.class.getName(),
                Long.toString(FILES),
                Files.createDirectory(directory.resolve("temporary")).toString(),
                Long.toString(SORT_BYTES),
                "42")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    long peak = 0;
    try {
      while (!process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS)) {
        peak = Math.max(peak, anonymousBytes(process.pid()));
      }
    } finally {
      process.destroy();
    }
    String said = Files.readString(log, StandardCharsets.UTF_8);
    System.out.printf(
        "%,d files in %d s, peak anonymous memory %d MiB: %s",
        FILES, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start), peak >> 20, said);

    assertThat(said).startsWith(FILES / 2 + " samples of " + FILES + " files in ");
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
