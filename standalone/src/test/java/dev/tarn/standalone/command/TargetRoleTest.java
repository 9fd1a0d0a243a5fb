package dev.tarn.standalone.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.standalone.config.ConfigFile;
import dev.tarn.standalone.config.Settings;
import dev.tarn.standalone.node.StartFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A target must be one of those that the map lists. */
class TargetRoleTest {
  @TempDir Path directory;

  @Test
  void targetWithoutAnIdIsToldWhichThereAre() throws Exception {
    Settings cluster = cluster();
    assertThatThrownBy(() -> RunningTarn.start(directory.resolve("data"), cluster))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("--set cluster.target-id=ID, one of one, two");
  }

  @Test
  void targetThatTheMapDoesNotListIsRefused() throws Exception {
    Settings cluster = cluster().with("cluster.target-id", "three", "test");
    assertThatThrownBy(() -> RunningTarn.start(directory.resolve("data"), cluster))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining(
            "this target is three, which cluster.targets does not list; the ids there are one,"
                + " two");
  }

  @Test
  void targetKeepsTheIdOfItsFirstStart() throws Exception {
    Settings one = cluster().with("cluster.target-id", "one", "test");
    Settings two = cluster().with("cluster.target-id", "two", "test");
    RunningTarn.start(directory.resolve("data"), one).close();
    RunningTarn.start(directory.resolve("data"), cluster()).close();

    assertThatThrownBy(() -> RunningTarn.start(directory.resolve("data"), two))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("cluster.target-id is two, but the data folder")
        .hasMessageContaining("is that of one");
    assertThat(directory.resolve("data/ready")).doesNotExist();
  }

  private Settings cluster() throws Exception {
    Path secret = Files.writeString(directory.resolve("secret"), "x".repeat(32));
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    Path file =
        Files.writeString(
            directory.resolve("cluster.yaml"),
            """
            role: target
            cluster:
              secret-file: %s
              targets:
                - {id: one, address: "127.0.0.1:7001", weight: 1}
                - {id: two, address: "127.0.0.1:7002", weight: 1}
            """
                .formatted(secret));
    return ConfigFile.read(file);
  }
}
