package dev.tarn.e2e.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.e2e.process.ClusterOfProcesses;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * A gateway process and three target processes, one of which ends, or stops answering, and comes
 * back.
 */
final class ThreeTargetsTest {
  private static final String BUCKET = "images";

  /** More than one page of a listing. */
  private static final List<String> KEYS =
      IntStream.range(0, 1200).mapToObj("train/%05d.jpg"::formatted).toList();

  private static final List<String> TARGETS = List.of("t1", "t2", "t3");

  @TempDir private Path folder;

  @Test
  void objectsAreSpreadEvenlyAndUnavailableWhileTheirTargetIsStopped() throws IOException {
    try (ClusterOfProcesses cluster =
            new ClusterOfProcesses(folder, 1, TARGETS, ClusterOfProcesses.NO_TARGET_IS_AWAITED);
        S3Client s3 = cluster.gateway().openS3Client()) {
      s3.createBucket(create -> create.bucket(BUCKET));
      KEYS.parallelStream().forEach(key -> put(s3, key));
      Map<String, List<String>> held = HeldKeys.of(cluster, TARGETS);
      assertThat(held.values())
          .allSatisfy(keys ->
              // By the capacity of their disks, which is that of the same file system.
              assertThat(keys.size())
                  .isCloseTo(KEYS.size() / TARGETS.size(), Percentage.withPercentage(10)));
      assertThat(listed(s3)).isEqualTo(KEYS);

      assertThat(cluster.target("t2").stop()).isZero();
      List<String> missing = held.getOrDefault("t2", List.of());
      isUnavailable(() -> s3.headObject(head -> head.bucket(BUCKET).key(missing.get(0))));
      isUnavailable(() -> get(s3, missing.get(1)));
      assertThatThrownBy(() -> get(s3, missing.get(1)))
          .hasMessageStartingWith("Target t2 accepts no connections. (Service: S3");
      isUnavailable(() -> put(s3, missing.get(2)));
      isUnavailable(() -> listed(s3));
      List<String> present = held.getOrDefault("t3", List.of()).subList(0, 20);
      assertThat(present).allSatisfy(key -> assertThat(get(s3, key)).isEqualTo(content(key)));

      cluster.startTarget("t2");
      assertThat(listed(s3)).isEqualTo(KEYS);
      assertThat(KEYS.parallelStream())
          .allSatisfy(key -> assertThat(get(s3, key)).isEqualTo(content(key)));
      assertThat(linesAbout(cluster, "t2"))
          .satisfiesExactly(
              gone -> assertThat(gone).contains("accepts no connections"),
              back -> assertThat(back).contains("accepts connections again after"));
    }
  }

  @Test
  void targetThatStopsAnsweringCostsItsOwnKeysAlone() throws Exception {
    try (ClusterOfProcesses cluster =
            new ClusterOfProcesses(folder, 1, TARGETS, "gateway.limits.target-wait-max=500ms");
        S3Client s3 = cluster.gateway().openS3Client()) {
      s3.createBucket(create -> create.bucket(BUCKET));
      List<String> keys = KEYS.subList(0, 60);
      keys.forEach(key -> put(s3, key));
      Map<String, List<String>> held = HeldKeys.of(cluster, TARGETS);
      List<String> missing = held.getOrDefault("t2", List.of());
      List<String> present = keys.stream().filter(key -> !missing.contains(key)).toList();

      cluster.target("t2").pause();
      try {
        isUnavailable(() -> get(s3, missing.get(0)));
        assertThat(silentTargets(cluster)).isOne();
        isUnavailable(() -> s3.headObject(head -> head.bucket(BUCKET).key(missing.get(1))));
        isUnavailable(() -> put(s3, missing.get(2)));
        isUnavailable(() -> listed(s3));
        assertThat(present).allSatisfy(key -> assertThat(get(s3, key)).isEqualTo(content(key)));
      } finally {
        cluster.target("t2").resume();
      }
      while (silentTargets(cluster) > 0) {
        Thread.onSpinWait();
      }

      assertThat(listed(s3)).isEqualTo(keys);
      assertThat(keys).allSatisfy(key -> assertThat(get(s3, key)).isEqualTo(content(key)));
      assertThat(linesAbout(cluster, "t2"))
          .satisfiesExactly(
              stopped -> assertThat(stopped).contains("stopped answering"),
              back -> assertThat(back).contains("answers again after"));
    }
  }

  /** What the gateway has logged about a target. */
  private List<String> linesAbout(ClusterOfProcesses cluster, String id) throws IOException {
    return Files.readAllLines(folder.resolve("gateway-1/tarn.log")).stream()
        .filter(line -> line.contains(cluster.address(id)))
        .toList();
  }

  private static int silentTargets(ClusterOfProcesses cluster) throws Exception {
    URI metrics = cluster.gateway().admin().resolve("/metrics");
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofLines())
          .body()
          .filter(line -> line.startsWith("tarn_targets_silent "))
          .mapToInt(line -> (int) Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
          .findFirst()
          .orElseThrow();
    }
  }

  private static String content(String key) {
    return "the bytes of " + key;
  }

  private static void put(S3Client s3, String key) {
    s3.putObject(put -> put.bucket(BUCKET).key(key), RequestBody.fromString(content(key)));
  }

  private static String get(S3Client s3, String key) {
    return s3.getObjectAsBytes(get -> get.bucket(BUCKET).key(key)).asString(UTF_8);
  }

  private static List<String> listed(S3Client s3) {
    return s3.listObjectsV2Paginator(list -> list.bucket(BUCKET)).contents().stream()
        .map(S3Object::key)
        .toList();
  }

  private static void isUnavailable(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            S3Exception.class, failure -> assertThat(failure.statusCode()).isEqualTo(503));
  }
}
