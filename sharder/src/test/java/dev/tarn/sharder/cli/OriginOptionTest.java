package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that read a dataset whose server is dead; a local folder is its origin. */
final class OriginOptionTest {
  /** Nobody listens there. */
  private static final String DEAD = "http://127.0.0.1:1/set";

  @TempDir private Path directory;

  private Path origin = Path.of("");

  @BeforeEach
  void pack() throws IOException {
    Path source = Files.createDirectories(directory.resolve("source/d"));
    for (int i = 0; i < 10; i++) {
      Files.writeString(source.resolve(i + ".txt"), "text " + i, UTF_8);
    }
    origin = directory.resolve("set");
    CommandLineRun pack = CommandLineRun.of("pack", source, origin);
    assertThat(pack.exitCode()).as(pack.err()).isZero();
  }

  @Test
  void catReadsAtTheOrigin() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    CommandLineRun cat =
        CommandLineRun.writing(
            bytes, "cat", DEAD + "/shard-000000.tar", "7.txt", "--origin", origin);

    assertThat(cat.exitCode()).as(cat.err()).isZero();
    assertThat(bytes.toString(UTF_8)).isEqualTo("text 7");
  }

  @Test
  void verifyReadsAtTheOrigin() {
    CommandLineRun verify = CommandLineRun.of("verify", DEAD, "--origin", origin);

    assertThat(verify.exitCode()).as(verify.err()).isZero();
    assertThat(verify.out()).contains("verified 10 samples in 1 shard");
  }

  @Test
  void unpackReadsAtTheOrigin() {
    Path files = directory.resolve("files");

    CommandLineRun unpack = CommandLineRun.of("unpack", DEAD, files, "--origin", origin);

    assertThat(unpack.exitCode()).as(unpack.err()).isZero();
    assertThat(files.resolve("7.txt")).hasContent("text 7");
  }

  @Test
  void withoutAnOriginTheServerIsNamed() {
    CommandLineRun verify = CommandLineRun.of("verify", DEAD);

    assertThat(verify.exitCode()).isEqualTo(1);
    assertThat(verify.err()).contains("no answer from http://127.0.0.1:1");
  }

  @Test
  void originOfSeveralFoldersIsRefused() {
    CommandLineRun verify = CommandLineRun.of("verify", DEAD, DEAD + "2", "--origin", origin);

    assertThat(verify.exitCode()).isEqualTo(2);
    assertThat(verify.err()).contains("--origin needs all shards in one folder, but they are in 2");
  }

  @Test
  void settingsOfAnOriginNeedTheOrigin() {
    CommandLineRun verify = CommandLineRun.of("verify", DEAD, "--origin-profile", "aws");

    assertThat(verify.exitCode()).isEqualTo(2);
    assertThat(verify.err()).contains("need --origin, which names the folder");
  }
}
