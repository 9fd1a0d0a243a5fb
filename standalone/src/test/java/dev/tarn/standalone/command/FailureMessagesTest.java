package dev.tarn.standalone.command;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.fixtures.TestCertificate;
import dev.tarn.standalone.config.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What commands say of failures: words, and no names of Java classes. */
class FailureMessagesTest {
  private static final Pattern JAVA_NAME =
      Pattern.compile("\\b\\w*(Exception|Error)\\b|\\b(java|javax|sun|io|software)\\.\\w+\\.\\w");

  @TempDir private Path directory;
  private Path pair = Path.of("unused");

  @BeforeEach
  void writeKeyPair() throws IOException {
    pair = directory.resolve("pair");
    Files.writeString(pair, "[x]\naws_access_key_id = AK\naws_secret_access_key = secret\n");
  }

  @Test
  void hostThatCannotBeResolvedIsNamed() {
    assertSays(
        "no server answers at http://nobody.invalid:9001", status("http://nobody.invalid:9001"));
    assertSays("unknown host nobody.invalid", check("http://nobody.invalid:9000"));
  }

  @Test
  void refusedConnectionIsNamed() {
    assertSays("no server answers at http://127.0.0.1:1", status("http://127.0.0.1:1"));
    assertSays("127.0.0.1:1", check("http://127.0.0.1:1"));
  }

  @Test
  void brokenAnswerIsNamed() throws Exception {
    assertSays("is the URL right?", status(answering("not HTTP\r\n\r\n")));
    assertSays(
        "is not the admin listener of a Tarn server",
        status(answering("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n{")));
  }

  @Test
  void untrustedCertificateIsNamed() throws Exception {
    TestCertificate certificate = TestCertificate.in(directory);
    Settings tls =
        Settings.none()
            .with("gateway.tls.certificate-chain", certificate.chain().toString(), "test")
            .with("gateway.tls.private-key", certificate.key().toString(), "test");
    try (RunningTarn server = RunningTarn.start(directory.resolve("data"), tls)) {
      URI https = server.tarn().ready().url();
      assertSays("certification path", check(https.toString()));
      assertSays("certification path", status(https.toString()));
      assertSays("no answer", check(https.toString().replace("https", "http")));
      assertSays(
          "https", status(server.tarn().ready().admin().toString().replace("http", "https")));
    }
  }

  @Test
  void filesThatAreMissingOrOfAnotherKindAreNamed() throws Exception {
    Path missing = directory.resolve("missing");
    assertSays("there is no configuration file", run("serve", "--config", missing.toString()));
    assertSays("ot a directory", run("serve", "--data", pair.resolve("below").toString()));
    assertSays("missing", run("apply", missing.toString()));
    assertSays("directory", run("serve", "--config", directory.toString()));
  }

  @Test
  void brokenDocumentsAreNamedWithTheirPlace() throws Exception {
    Path broken = Files.writeString(directory.resolve("broken.yaml"), "users: [\n");
    assertSays("broken.yaml", run("apply", broken.toString()));
    assertSays("broken.yaml", run("serve", "--config", broken.toString()));
  }

  private static void assertSays(String part, RunningTarn.Result result) {
    assertThat(result.exitCode()).isIn(1, 2);
    assertThat(result.err()).contains(part).doesNotContainPattern(JAVA_NAME).doesNotContain("null");
  }

  private RunningTarn.Result status(String url) {
    return run("status", "--admin-url", url, "--credentials", pair.toString());
  }

  private RunningTarn.Result check(String url) {
    return run("check", "s3://b/p", "--endpoint", url, "--credentials", pair.toString());
  }

  private static RunningTarn.Result run(String... arguments) {
    return RunningTarn.execute(arguments);
  }

  /** The URL of a server that gives one connection this answer and closes it. */
  private static String answering(String answer) throws IOException {
    ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Thread.ofVirtual()
        .start(() -> {
          try (server;
              Socket client = server.accept()) {
            client.getInputStream().read();
            client.getOutputStream().write(answer.getBytes(US_ASCII));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    return "http://127.0.0.1:" + server.getLocalPort();
  }
}
