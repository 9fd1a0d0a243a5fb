package dev.tarn.sharder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tarn.sharder.source.archive.ArchiveFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real file system without room: a small tmpfs, where mounting one is allowed. */
final class FullDiskTest {
  @TempDir Path directory;

  private Path mount = Path.of("unused");
  private boolean mounted;

  @BeforeEach
  void mount() throws IOException, InterruptedException {
    mount = Files.createDirectory(directory.resolve("mount"));
    mounted = run("mount", "-t", "tmpfs", "-o", "size=4m", "tarn-test", mount.toString());
    assumeTrue(mounted, "mounting a tmpfs is not allowed here; PackFaultTest simulates one");
  }

  @AfterEach
  void unmount() throws InterruptedException {
    if (mounted) {
      assertThat(run("umount", mount.toString())).isTrue();
    }
  }

  private static boolean run(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      assumeTrue(false, "there is no " + command[0] + " here: " + e.getMessage());
      return false;
    }
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  @Test
  void destinationThatIsFullEndsTheRunWithItsName() throws IOException {
    Path source = Files.createDirectory(directory.resolve("source"));
    for (int i = 0; i < 20; i++) {
      Files.write(source.resolve(i + ".bin"), random(1_000_000 + i));
    }
    Path set = mount.resolve("set");

    CommandLineRun pack = CommandLineRun.of("pack", source, set, "--max-size=2MiB");

    assertThat(pack.exitCode()).isEqualTo(1);
    assertThat(pack.err())
        .containsPattern("sharder: " + set + "/\\S+: .*No space left on device")
        .doesNotContain("\tat ");
    assertThat(set.resolve("dataset.json")).doesNotExist();
  }

  @Test
  void temporaryDirectoryWithoutRoomForThePlanEndsTheRunWithItsName() throws IOException {
    Path source = Files.createDirectory(directory.resolve("source"));
    Files.write(source.resolve("a.bin"), random(100));
    assertThatThrownBy(() -> Files.write(mount.resolve("all"), random(5 << 20)))
        .hasMessageContaining("No space left on device");

    CommandLineRun pack =
        CommandLineRun.of("pack", source, directory.resolve("set"), "--temp-dir", mount);

    assertThat(pack.exitCode()).isEqualTo(1);
    assertThat(pack.err())
        .contains("sharder: " + mount + ": cannot store the plan there: ")
        .contains("No space left on device; choose another folder with --temp-dir")
        .doesNotContain("\tat ");
  }

  @Test
  void temporaryDirectoryThatIsFullEndsTheRunWithItsName() throws IOException {
    byte[] tar = ArchiveFiles.tar(Map.of("a.bin", new byte[5_000_000], "b.bin", new byte[5_000]));
    Path archive = Files.write(directory.resolve("a.tar.gz"), ArchiveFiles.gzip(tar));

    CommandLineRun pack =
        CommandLineRun.of("pack", archive, directory.resolve("set"), "--temp-dir", mount);

    assertThat(pack.exitCode()).isEqualTo(1);
    assertThat(pack.err())
        .contains("sharder: " + mount + ": cannot store an archive's bytes there: ")
        .contains("No space left on device; choose another folder with --temp-dir")
        .doesNotContain("\tat ");
  }
}
