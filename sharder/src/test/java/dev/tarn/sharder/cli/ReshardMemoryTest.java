package dev.tarn.sharder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.sharder.MeasuredJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process takes that reads compressed shards here and there, with the sharder's options. */
final class ReshardMemoryTest {
  private static final int FILES = 3000;
  private static final long ANONYMOUS_BYTES_MAX = 300L << 20;

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

    MeasuredJvm reshard =
        MeasuredJvm.run(
            directory.resolve("log"),
            SharderMain.class,
            "reshard",
            old.toString(),
            directory.resolve("new").toString(),
            "--jobs=16");

    assertThat(reshard.exitCode()).as(reshard.output()).isZero();
    assertThat(reshard.peakAnonymousBytes()).isPositive().isLessThanOrEqualTo(ANONYMOUS_BYTES_MAX);
  }
}
