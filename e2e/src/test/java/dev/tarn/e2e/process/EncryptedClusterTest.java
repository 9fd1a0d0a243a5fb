package dev.tarn.e2e.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.fixtures.TestAuthority;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Processes that call each other over TLS. */
@Timeout(240)
class EncryptedClusterTest {
  private static final String BUCKET = "encrypted";
  private static final String TLS = "cluster.tls=true";
  private static final int KEYS = 20;
  private static final int UPGRADE_REQUIRED = 426;

  /** More than one file region, and more than one buffer of the relay. */
  private static final byte[] LARGE = new byte[3 << 20];

  static {
    new Random(7).nextBytes(LARGE);
  }

  @TempDir private Path folder;

  @Test
  void targetsAreSwitchedToTlsOneByOneAndStayReachableWhileTheControlNodeIsAway() throws Exception {
    try (ClusterOfProcesses cluster = new ClusterOfProcesses(folder, List.of("t1", "t2"));
        S3Client s3 = cluster.gateway().openS3Client()) {
      s3.createBucket(create -> create.bucket(BUCKET));
      write(s3);

      for (String target : List.of("t1", "t2")) {
        assertThat(cluster.target(target).stop()).isZero();
        cluster.startTarget(target, TLS);
        readBack(s3);
        assertThat(callInTheClear(cluster.address(target))).isEqualTo(UPGRADE_REQUIRED);
      }
      assertThat(isEncrypted(cluster, "t1")).isTrue();
      write(s3);
      assertThat(filesWithKeys()).as("private keys stay in memory").isEmpty();

      cluster.control().stop();
      for (String target : List.of("t1", "t2")) {
        cluster.target(target).stop();
        cluster.startTarget(target, TLS);
      }
      cluster.gateway().stop();
      cluster.startGateway(1);
      try (S3Client restarted = cluster.gateway().openS3Client()) {
        readBack(restarted);
      }
    }
  }

  @Test
  void targetIsSwitchedBackWithoutTls() throws Exception {
    try (ClusterOfProcesses cluster = new ClusterOfProcesses(folder, List.of("t1"));
        S3Client s3 = cluster.gateway().openS3Client()) {
      s3.createBucket(create -> create.bucket(BUCKET));
      cluster.target("t1").stop();
      cluster.startTarget("t1", TLS);
      write(s3);

      cluster.target("t1").stop();
      cluster.startTarget("t1");
      readBack(s3);
      assertThat(isEncrypted(cluster, "t1")).isFalse();
    }
  }

  @Test
  void membersUseTheCertificatesOfAnOperator() throws Exception {
    String[] files = givenFiles(new TestAuthority("operator"));
    String[] withTls = Stream.concat(Stream.of(TLS), Stream.of(files)).toArray(String[]::new);
    try (ClusterOfProcesses cluster = new ClusterOfProcesses(folder, 1, List.of("t1"), files);
        S3Client s3 = cluster.gateway().openS3Client()) {
      s3.createBucket(create -> create.bucket(BUCKET));
      cluster.target("t1").stop();
      cluster.startTarget("t1", withTls);
      write(s3);
      readBack(s3);

      cluster.target("t1").stop();
      cluster.startTarget("t1", TLS);
      assertThatThrownBy(() -> readBack(s3))
          .as("the derived certificate is of another authority")
          .isInstanceOf(S3Exception.class);
    }
  }

  /** Settings of a member that shows a certificate of this authority. */
  private String[] givenFiles(TestAuthority authority) throws Exception {
    TestAuthority.Issued issued = authority.issueLocal();
    Path key = pem("tls.key", "PRIVATE KEY", issued.key().getEncoded());
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    return new String[] {
      "cluster.tls-files.certificate-chain="
          + pem("tls.crt", "CERTIFICATE", issued.certificate().getEncoded()),
      "cluster.tls-files.private-key=" + key,
      "cluster.tls-files.authorities="
          + pem("ca.crt", "CERTIFICATE", authority.certificate().getEncoded())
    };
  }

  private Path pem(String name, String kind, byte[] content) throws IOException {
    String text = Base64.getMimeEncoder().encodeToString(content);
    return Files.writeString(
        folder.resolve(name),
        "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
  }

  private static void write(S3Client s3) {
    for (int i = 0; i < KEYS; i++) {
      String key = "key-" + i;
      s3.putObject(put -> put.bucket(BUCKET).key(key), RequestBody.fromString(key));
    }
    s3.putObject(put -> put.bucket(BUCKET).key("large"), RequestBody.fromBytes(LARGE));
  }

  private static void readBack(S3Client s3) {
    for (int i = 0; i < KEYS; i++) {
      String key = "key-" + i;
      assertThat(s3.getObjectAsBytes(get -> get.bucket(BUCKET).key(key)).asUtf8String())
          .isEqualTo(key);
    }
    assertThat(s3.getObjectAsBytes(get -> get.bucket(BUCKET).key("large")).asByteArray())
        .isEqualTo(LARGE);
  }

  private static int callInTheClear(String address) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest probe =
          HttpRequest.newBuilder(URI.create("http://" + address + "/tarn/v1/probe")).build();
      return client.send(probe, HttpResponse.BodyHandlers.discarding()).statusCode();
    }
  }

  private static boolean isEncrypted(ClusterOfProcesses cluster, String target) throws IOException {
    JsonObject status = ClusterOfProcesses.admin(cluster.gateway()).call("GET", "/cluster", null);
    return status.getJsonArray("targets").stream()
        .map(JsonObject.class::cast)
        .filter(each -> each.getString("id").equals(target))
        .allMatch(each -> each.getBoolean("tls"));
  }

  private List<Path> filesWithKeys() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).filter(file -> holds(file, "PRIVATE KEY")).toList();
    }
  }

  private static boolean holds(Path file, String text) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1).contains(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
