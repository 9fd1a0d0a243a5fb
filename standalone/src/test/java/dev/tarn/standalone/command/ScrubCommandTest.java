package dev.tarn.standalone.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.standalone.config.ConfigFile;
import dev.tarn.standalone.config.Settings;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway asks its targets to scrub. */
class ScrubCommandTest {
  @TempDir Path directory;

  @Test
  void scrubThatNoTargetHasHeardOfIsIncomplete() throws Exception {
    try (RunningTarn gateway =
        RunningTarn.start(directory.resolve("data"), gatewayOf(portOfNobody()))) {
      for (String[] scrub : new String[][] {{"scrub"}, {"scrub", "--report"}}) {
        RunningTarn.Result result = gateway.run(scrub);

        assertThat(result.exitCode()).as(result.err()).isEqualTo(1);
        assertThat(result.out()).contains("incomplete", "target only: does not answer: ");
      }
    }
  }

  private static int portOfNobody() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private Settings gatewayOf(int port) throws Exception {
    Path secret = Files.writeString(directory.resolve("secret"), "x".repeat(32));
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    return ConfigFile.read(
        Files.writeString(
            directory.resolve("cluster.yaml"),
            """
            role: gateway
            cluster:
              secret-file: %s
              targets:
                - {id: only, address: "127.0.0.1:%d", weight: 1}
            """
                .formatted(secret, port)));
  }
}
