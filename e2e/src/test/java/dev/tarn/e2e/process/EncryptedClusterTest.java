package dev.tarn.e2e.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** Processes that call each other over TLS, with certificates of the control node. */
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
      assertThat(keyFile("gateway-1")).isEqualTo("rw-------");
      assertThat(keyFile("t1")).isEqualTo("rw-------");

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

  private String keyFile(String member) throws IOException {
    Path file;
    try (Stream<Path> files = Files.walk(folder.resolve(member))) {
      file = files.filter(each -> each.endsWith("identity.pem")).findFirst().orElseThrow();
    }
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
