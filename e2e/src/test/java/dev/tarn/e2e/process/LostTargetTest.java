package dev.tarn.e2e.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Reads of a cached bucket through two gateways while one of three targets is dead or does not
 * answer. The gateways would wait for it for so long that the time of the test would not suffice.
 */
@Timeout(300)
final class LostTargetTest {
  private static final String BUCKET = "cached";
  private static final List<String> TARGETS = List.of("t1", "t2", "t3");
  private static final List<String> KEYS =
      IntStream.range(0, 60).mapToObj("train/%02d.jpg"::formatted).toList();

  @TempDir private Path folder;

  private TarnProcess origin;
  private ClusterOfProcesses cluster;
  private S3Client uploads;
  private List<S3Client> clients;

  @BeforeEach
  void start() throws Exception {
    origin = TarnProcess.start(Files.createDirectory(folder.resolve("origin")));
    uploads = origin.openS3Client();
    uploads.createBucket(bucket -> bucket.bucket("origin"));
    KEYS.forEach(key -> upload(key, content(key)));
    cluster = new ClusterOfProcesses(folder, 2, TARGETS, "gateway.limits.target-wait-max=30s");
    CachedBuckets.create(BUCKET, "origin", origin, cluster.gateway().admin(), folder);
    clients = List.of(cluster.gateway(1).openS3Client(), cluster.gateway(2).openS3Client());
  }

  @AfterEach
  void stop() {
    clients.forEach(S3Client::close);
    cluster.close();
    uploads.close();
    origin.close();
  }

  @Test
  void noReadFailsWhileATargetIsDeadAndItServesAgainWhenItIsBack() throws IOException {
    readAll();
    cluster.target("t2").kill();

    readAll();
    readAll();
    assertThat(linesAbout("t2")).anyMatch(line -> line.contains("accepts no connections"));

    cluster.startTarget("t2");
    readAll();
    assertThat(linesAbout("t2")).anyMatch(line -> line.contains("accepts connections again"));
  }

  @Test
  void noReadFailsWhileATargetDoesNotAnswer() throws IOException {
    readAll();
    cluster.target("t2").pause();
    try {
      readAll();
      assertThat(linesAbout("t2")).anyMatch(line -> line.contains("stopped answering"));
    } finally {
      cluster.target("t2").resume();
    }
    readAll();
  }

  @Test
  void readsAreNeverStaleWhileATargetIsDead() {
    readAll();
    cluster.target("t2").kill();
    readAll();
    KEYS.forEach(key -> upload(key, "new " + content(key)));

    List<String> seen = KEYS.stream().map(key -> get(1, key)).toList();

    // Two targets have their own keys, which never change. The others are read from the backend.
    assertThat(seen.stream().filter(content -> content.startsWith("new "))).hasSizeBetween(5, 40);
    List<String> changed = KEYS.stream().filter(key -> get(1, key).startsWith("new ")).toList();
    origin.kill();
    for (String key : KEYS) {
      if (changed.contains(key)) {
        assertThatThrownBy(() -> get(2, key))
            .isInstanceOfSatisfying(
                S3Exception.class, failure -> assertThat(failure.statusCode()).isEqualTo(503));
      } else {
        assertThat(get(2, key)).isEqualTo(content(key));
      }
    }
  }

  private void readAll() {
    for (int gateway = 1; gateway <= 2; gateway++) {
      for (String key : KEYS) {
        assertThat(get(gateway, key)).isEqualTo(content(key));
      }
    }
  }

  private String get(int gateway, String key) {
    S3Client s3 = clients.get(gateway - 1);
    return s3.getObjectAsBytes(get -> get.bucket(BUCKET).key(key)).asString(UTF_8);
  }

  private void upload(String key, String content) {
    uploads.putObject(put -> put.bucket("origin").key(key), RequestBody.fromString(content));
  }

  private static String content(String key) {
    return "the bytes of " + key;
  }

  private List<String> linesAbout(String id) throws IOException {
    return Files.readAllLines(folder.resolve("gateway-1/tarn.log")).stream()
        .filter(line -> line.contains(cluster.address(id)))
        .toList();
  }
}
