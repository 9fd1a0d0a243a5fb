package dev.tarn.sharder.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.sharder.MeasuredJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

  @TempDir Path directory;

  @Test
  void memoryOfAPlanDoesNotGrowWithItsFiles() throws IOException, InterruptedException {
    long start = System.nanoTime();
    MeasuredJvm plan =
        MeasuredJvm.run(
            directory.resolve("log"),
            SyntheticPlan.class,
            Long.toString(FILES),
            Files.createDirectory(directory.resolve("temporary")).toString(),
            Long.toString(SORT_BYTES),
            "42");
    long peak = plan.peakAnonymousBytes();
    System.out.printf(
        "%,d files in %d s, peak anonymous memory %d MiB: %s",
        FILES,
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start),
        peak >> 20,
        plan.output());

    assertThat(plan.output()).startsWith(FILES / 2 + " samples of " + FILES + " files in ");
    assertThat(peak).isPositive().isLessThanOrEqualTo(ANONYMOUS_BYTES_MAX);
  }
}
