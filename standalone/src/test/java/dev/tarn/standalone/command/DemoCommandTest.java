package dev.tarn.standalone.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.standalone.command.RunningTarn.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoCommandTest {
  @TempDir Path directory;

  private Path files = Path.of("");

  @BeforeEach
  void writeFiles() throws Exception {
    files = Files.createDirectory(directory.resolve("files"));
    for (int i = 0; i < 50; i++) {
      Files.writeString(files.resolve("file-" + i + ".txt"), "content of file " + i);
    }
  }

  @Test
  void demoRunsAgainstAServerThatRunsAndLeavesNothingThere() throws Exception {
    try (RunningTarn server = RunningTarn.start(directory.resolve("data"))) {
      server.run("bucket", "create", "data");

      Result result =
          RunningTarn.execute(
              "demo",
              files.toString(),
              "--into=s3://data/tried",
              "--endpoint=" + server.tarn().ready().url(),
              "--credentials=" + server.tarn().credentialsFile());

      assertThat(result.err()).isEmpty();
      assertThat(result.exitCode()).isZero();
      assertThat(result.out().lines()).last().asString().startsWith("demo files=50 ");
      assertThat(server.run("bucket", "delete", "data").exitCode()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--into=folder, is not s3://BUCKET/PREFIX",
    "--into=s3://data/ --keep, --into and --keep exclude each other",
    "--endpoint=http://127.0.0.1:1, need --into s3://BUCKET/PREFIX too",
  })
  void wrongUsageIsNamed(String options, String message) {
    String[] words = ("demo " + files + " " + options).split(" ", -1);

    Result result = RunningTarn.execute(words);

    assertThat(result.err()).contains(message);
    assertThat(result.exitCode()).isEqualTo(2);
  }
}
