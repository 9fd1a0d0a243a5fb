package dev.tarn.e2e.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ExpirationStatus;
import software.amazon.awssdk.services.s3.model.LifecycleExpiration;
import software.amazon.awssdk.services.s3.model.LifecycleRule;
import software.amazon.awssdk.services.s3.model.LifecycleRuleFilter;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Rules that an owner sets at a gateway, carried out by the targets behind it. */
@Timeout(120)
class LifecycleOfTargetsTest {
  private static final String BUCKET = "runs";
  private static final List<String> TARGETS = List.of("t1", "t2");
  private static final int OLD_OBJECTS = 64;

  @TempDir private Path folder;

  @Test
  void targetsEndWhatIsDueAndNothingElseAndCountItInTheirMetrics() throws Exception {
    try (ClusterOfProcesses cluster = new ClusterOfProcesses(folder, TARGETS);
        S3Client s3 = cluster.gateway().openS3Client()) {
      for (String target : TARGETS) {
        assertThat(cluster.target(target).stop()).isZero();
        cluster.startTarget(target, "target.lifecycle-period=50ms");
      }
      s3.createBucket(create -> create.bucket(BUCKET));
      put(s3, "keep/model");
      IntStream.range(0, OLD_OBJECTS).forEach(number -> put(s3, "old/" + number));

      expireAtOnce(s3, "old/");
      List<String> left = keys(s3);
      while (left.size() > 1) {
        left = keys(s3);
      }

      assertThat(left).containsExactly("keep/model");
      List<Double> expired = List.of(expired(cluster.target("t1")), expired(cluster.target("t2")));
      assertThat(expired).doesNotContain(0.0);
      assertThat(expired.getFirst() + expired.getLast()).isEqualTo(OLD_OBJECTS);
    }
  }

  private static void put(S3Client s3, String key) {
    s3.putObject(put -> put.bucket(BUCKET).key(key), RequestBody.fromString("bytes of " + key));
  }

  private static void expireAtOnce(S3Client s3, String prefix) {
    LifecycleRule rule =
        LifecycleRule.builder()
            .status(ExpirationStatus.ENABLED)
            .filter(LifecycleRuleFilter.builder().prefix(prefix).build())
            .expiration(
                LifecycleExpiration.builder().date(Instant.parse("2020-01-01T00:00:00Z")).build())
            .build();
    s3.putBucketLifecycleConfiguration(
        put -> put.bucket(BUCKET).lifecycleConfiguration(rules -> rules.rules(List.of(rule))));
  }

  private static List<String> keys(S3Client s3) {
    return s3.listObjectsV2(list -> list.bucket(BUCKET)).contents().stream()
        .map(S3Object::key)
        .toList();
  }

  private static double expired(TarnProcess target) throws Exception {
    HttpRequest scrape = HttpRequest.newBuilder(target.admin().resolve("/metrics")).build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(scrape, BodyHandlers.ofString())
          .body()
          .lines()
          .filter(line -> line.startsWith("tarn_lifecycle_objects_expired_total "))
          .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
          .sum();
    }
  }
}
