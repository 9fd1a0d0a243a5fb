package dev.tarn.standalone.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.standalone.Tarn;
import dev.tarn.standalone.client.AdminClient;
import dev.tarn.standalone.config.Settings;
import dev.tarn.standalone.node.DataFolder;
import dev.tarn.standalone.node.KeyPair;
import dev.tarn.standalone.node.StartFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a start finds of an earlier one. */
class StartAnewTest {
  @TempDir Path directory;

  @Test
  void pairThatCanBeNoneLeavesTheOneThatIsThere() throws Exception {
    KeyPair sound = new KeyPair("MYKEY", "my-secret");
    KeyPair unsound = new KeyPair("MYKEY", "no\tsecret");
    Tarn.start(RunningTarn.config(directory, Settings.none()), Optional.of(sound)).close();

    assertThatThrownBy(
            () -> Tarn.start(RunningTarn.config(directory, Settings.none()), Optional.of(unsound)))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("printable ASCII");

    try (Tarn tarn = Tarn.start(RunningTarn.config(directory, Settings.none()), Optional.empty())) {
      assertThat(
              new AdminClient(tarn.ready().admin(), sound)
                  .call("GET", "/status", null)
                  .getString("role"))
          .isEqualTo("all");
    }
  }

  @Test
  void readyFilesOfAKilledProcessAreGoneAlsoWhenTheStartFails() throws Exception {
    Path readyFile = Files.writeString(directory.resolve("ready-file"), "ready s3=old\n");
    Path data = Files.createDirectory(directory.resolve("data"));
    DataFolder.open(data).close();
    Path own = Files.writeString(data.resolve("ready"), "ready s3=old\n");
    Files.writeString(data.resolve("control"), "no directory");
    Settings settings = Settings.none().with("ready-file", readyFile.toString(), "test");

    assertThatThrownBy(() -> Tarn.start(RunningTarn.config(data, settings), Optional.empty()))
        .isInstanceOf(StartFailure.class);

    assertThat(readyFile).doesNotExist();
    assertThat(own).doesNotExist();
  }

  @Test
  void scrubThatLeavesADiskOutSaysSoAndFails() throws Exception {
    Path data = directory.resolve("data");
    Path lost = directory.resolve("two");
    Settings disks = Settings.none().with("disks", directory.resolve("one") + "," + lost, "test");
    try (RunningTarn server = RunningTarn.start(data, disks)) {
      assertThat(server.run("scrub").exitCode()).isZero();
    }
    Files.move(lost.resolve("log"), directory.resolve("elsewhere"));
    Files.writeString(lost.resolve("log"), "no directory");

    try (RunningTarn server = RunningTarn.start(data, disks)) {
      RunningTarn.Result scrub = server.run("scrub");

      assertThat(scrub.exitCode()).isEqualTo(1);
      assertThat(scrub.out()).contains("state: incomplete", "unchecked");
    }
  }

  @Test
  void bucketWithABackendThatDoesNotAnswerIsForgotten() throws Exception {
    Path pair = directory.resolve("pair");
    Files.writeString(pair, "[x]\naws_access_key_id = A\naws_secret_access_key = hush\n");
    try (RunningTarn server = RunningTarn.start(directory.resolve("data"))) {
      RunningTarn.Result made =
          server.run(
              "bucket",
              "create",
              "cache",
              "--backend",
              "s3://origin/",
              "--backend-endpoint",
              "http://127.0.0.1:1",
              "--backend-credentials",
              pair.toString(),
              "--no-probe");
      assertThat(made.exitCode()).isZero();

      RunningTarn.Result deleted = server.run("bucket", "delete", "cache");

      assertThat(deleted.exitCode()).isZero();
      assertThat(deleted.out()).contains("stay at the backend");
    }
  }
}
