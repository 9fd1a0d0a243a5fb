package dev.tarn.e2e.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.e2e.process.StartCache;
import dev.tarn.e2e.process.TarnProcess;
import dev.tarn.fixtures.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The storage client of the SDK, as {@code tarn check} uses it, and a private authority. */
class CheckOverHttpsTest {
  @TempDir Path folder;

  @Test
  void authorityOfTheBundleIsTrustedAndNoOther() throws Exception {
    TestCertificate.in(folder);
    Path other = Files.createDirectory(folder.resolve("other"));
    TestCertificate.in(other);
    try (TarnProcess server =
        TarnProcess.start(
            folder,
            "--set=gateway.tls.certificate-chain=" + folder.resolve("cert.pem"),
            "--set=gateway.tls.private-key=" + folder.resolve("key.pem"))) {
      Ended made = tarn(folder, "bucket", "create", "data", "--admin-url=" + server.admin());
      assertThat(made.exitCode()).as(made.output()).isZero();

      String endpoint = "--endpoint=" + server.s3();
      Ended trusting = tarn(folder, "check", "s3://data/some", endpoint);
      assertThat(trusting.exitCode()).as(trusting.output()).isZero();
      Ended doubting = tarn(other, "check", "s3://data/some", endpoint);
      assertThat(doubting.exitCode()).isEqualTo(1);
      assertThat(doubting.output()).contains("no TLS connection");
      Ended failing = tarn(folder.resolve("none"), "check", "s3://data/some", endpoint);
      assertThat(failing.output()).contains("AWS_CA_BUNDLE is", "none/cert.pem");
      assertThat(failing.exitCode()).isEqualTo(1);
    }
  }

  private static Ended tarn(Path bundleFolder, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = StartCache.command(StartCache.MAIN, List.of());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("TARN_ACCESS_KEY", TarnProcess.ACCESS_KEY);
    builder.environment().put("TARN_SECRET_KEY", TarnProcess.SECRET_KEY);
    builder.environment().put("AWS_CA_BUNDLE", bundleFolder.resolve("cert.pem").toString());
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Ended(process.waitFor(), output);
  }

  private record Ended(int exitCode, String output) {}
}
