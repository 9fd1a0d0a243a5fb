package dev.tarn.sharder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.sharder.MeasuredJvm;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a process takes that packs, goes on or commits, with the sharder's JVM options. */
final class PackMemoryTest {
  private static final long ANONYMOUS_BYTES_MAX = 512L << 20;

  /** Little beside the indexes of all shards, of which no more are to be in memory than fit. */
  private static final long LOOK_BYTES_MAX = 160L << 20;

  private static final int SHARDS = 8;
  private static final int SAMPLES = 5_000;

  @TempDir Path directory;

  private void run(long bytesMax, Object... words) throws IOException, InterruptedException {
    String[] arguments = new String[words.length];
    for (int i = 0; i < words.length; i++) {
      arguments[i] = words[i].toString();
    }
    MeasuredJvm run = MeasuredJvm.run(directory.resolve("log"), SharderMain.class, arguments);
    System.out.printf(
        "%s %s: peak anonymous memory %d MiB%n",
        words[0], words[words.length - 1], run.peakAnonymousBytes() >> 20);
    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.peakAnonymousBytes()).isPositive().isLessThanOrEqualTo(bytesMax);
  }

  @ParameterizedTest
  @ValueSource(ints = {9, 12, 19})
  void memoryOfHighLevelsIsBounded(int level) throws IOException, InterruptedException {
    Path source = Files.createDirectory(directory.resolve("source"));
    for (int i = 0; i < 24; i++) {
      sparse(source.resolve(i + ".bin"), (4 << 20) - 2_000);
    }
    sparse(source.resolve("large.bin"), 30 << 20);

    run(
        ANONYMOUS_BYTES_MAX,
        "pack",
        source,
        directory.resolve("set"),
        "--jobs=32",
        "--compress=zstd",
        "--level=" + level);
  }

  private static void sparse(Path path, long length) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(length);
    }
  }

  @Test
  void memoryOfAPackThatGoesOnDoesNotGrowWithItsIndexes() throws IOException, InterruptedException {
    Path source = directory.resolve("source");
    Path folder = source;
    while (folder.toString().length() < 3_500) {
      folder = folder.resolve("f".repeat(200));
    }
    Files.createDirectories(folder);
    for (int i = 0; i < SHARDS * SAMPLES; i++) {
      Files.createFile(folder.resolve(i + ".b"));
    }
    Path plan = directory.resolve("plan");
    Path set = directory.resolve("set");
    for (Object[] words :
        new Object[][] {
          {"plan", source, set, "--max-count", SAMPLES, "--plan", plan},
          {"pack", "--plan", plan, "--task=0/1"},
        }) {
      CommandLineRun run = CommandLineRun.of(words);
      assertThat(run.exitCode()).as(run.err()).isZero();
    }

    run(LOOK_BYTES_MAX, "pack", "--plan", plan, "--task=0/1");
    run(LOOK_BYTES_MAX, "commit", "--plan", plan);
  }
}
