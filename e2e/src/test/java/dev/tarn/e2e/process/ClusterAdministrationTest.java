package dev.tarn.e2e.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.standalone.client.AdminClient;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** What an administrator asks the gateway, and the targets answer. */
class ClusterAdministrationTest {
  @TempDir private Path folder;

  @Test
  void gatewayTellsHowEachTargetFaresAndScrubsAllOfThem() throws Exception {
    try (ClusterOfProcesses cluster = new ClusterOfProcesses(folder, List.of("a", "b"))) {
      putObjects(cluster, 40);
      AdminClient admin = ClusterOfProcesses.admin(cluster.gateway());

      for (String id : new String[] {"a", "b"}) {
        JsonObject target = target(admin, id);
        assertThat(target.getString("state")).isEqualTo("in service");
        assertThat(target.getString("address")).isEqualTo(cluster.address(id));
        assertThat(target.getJsonArray("disks").getJsonObject(0).getLong("capacity_bytes"))
            .isPositive();
      }
      assertThat(admin.call("GET", "/scrub", null).getString("state")).isEqualTo("none");
      JsonObject report = scrub(admin);
      assertThat(report.getString("state")).isEqualTo("done");
      assertThat(report.getLong("objects")).isEqualTo(40);

      cluster.target("b").stop();
      assertThat(target(admin, "b").getString("state"))
          .isEqualTo("does not answer: it refuses connections");
      JsonObject incomplete = scrub(admin);
      assertThat(incomplete.getString("state")).isEqualTo("incomplete");
      assertThat(incomplete.getJsonArray("unchecked"))
          .singleElement()
          .asString()
          .startsWith("target b: does not answer: ");
    }
  }

  @Test
  void gatewayCountsWhatTheTargetsHoldAlsoAfterTheirRestart() throws Exception {
    try (ClusterOfProcesses cluster = new ClusterOfProcesses(folder, List.of("a", "b"))) {
      putObjects(cluster, 40);
      AdminClient admin = ClusterOfProcesses.admin(cluster.gateway());

      JsonObject counted = stored(admin);
      assertThat(counted.getLong("objects")).isEqualTo(40);
      assertThat(counted.getLong("bytes")).isEqualTo(10 * 2 + 30 * 3);
      assertThat(counted.getJsonArray("buckets").encode())
          .isEqualTo("[{\"name\":\"administered\",\"objects\":40,\"bytes\":110,\"cached\":false}]");
      assertThat(counted.getJsonArray("missing_targets")).isEmpty();

      cluster.target("b").stop();
      JsonObject withoutB = stored(admin);
      assertThat(withoutB.getLong("objects")).isBetween(1L, 39L);
      assertThat(withoutB.getJsonArray("missing_targets").encode()).isEqualTo("[\"b\"]");

      cluster.startTarget("b");
      assertThat(stored(admin)).isEqualTo(counted);
    }
  }

  @Test
  void profileAddsUpWhatAllTargetsReadOfCachedBuckets() throws Exception {
    try (TarnProcess origin = TarnProcess.start(Files.createDirectory(folder.resolve("origin")));
        ClusterOfProcesses cluster = new ClusterOfProcesses(folder, List.of("a", "b"));
        S3Client s3 = cluster.gateway().openS3Client();
        S3Client uploads = origin.openS3Client()) {
      uploads.createBucket(bucket -> bucket.bucket("origin"));
      for (int number = 0; number < 20; number++) {
        String key = "k" + number;
        uploads.putObject(r -> r.bucket("origin").key(key), RequestBody.fromBytes(new byte[1000]));
      }
      CachedBuckets.create("cached", "origin", origin, cluster.gateway().admin(), folder);
      for (int number = 0; number < 60; number++) {
        String key = "k" + number % 20;
        s3.getObjectAsBytes(r -> r.bucket("cached").key(key));
      }

      AdminClient admin = ClusterOfProcesses.admin(cluster.gateway());
      for (String path : List.of("/profile", "/profile/cached")) {
        JsonObject day = admin.call("GET", path, null).getJsonArray("spans").getJsonObject(2);
        assertThat(day.getJsonObject("cache").getLong("fetched_bytes")).isEqualTo(20_000);
        assertThat(day.getJsonObject("cache").getLong("hit_bytes")).isEqualTo(40_000);
      }
      cluster.target("b").stop();
      JsonObject profile = admin.call("GET", "/profile", null);
      JsonObject rest = profile.getJsonArray("spans").getJsonObject(2);
      assertThat(rest.getJsonObject("cache").getLong("fetched_bytes")).isBetween(1000L, 19_000L);
      assertThat(profile.getJsonArray("silent_targets").encode())
          .isEqualTo("[\"b: it refuses connections\"]");
    }
  }

  private static JsonObject stored(AdminClient admin) throws IOException {
    return admin.call("GET", "/status", null).getJsonObject("stored");
  }

  private static JsonObject scrub(AdminClient admin) throws IOException {
    JsonObject report = admin.call("POST", "/scrub", null);
    while (report.getString("state").equals("running")) {
      report = admin.call("GET", "/scrub", null);
    }
    return report;
  }

  private static JsonObject target(AdminClient admin, String id) throws IOException {
    JsonArray targets = admin.call("GET", "/status", null).getJsonArray("targets");
    return targets.stream()
        .map(JsonObject.class::cast)
        .filter(target -> target.getString("id").equals(id))
        .findFirst()
        .orElseThrow();
  }

  private static void putObjects(ClusterOfProcesses cluster, int count) {
    try (S3Client s3 =
        S3Client.builder()
            .endpointOverride(cluster.gateway().s3())
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(
                    AwsBasicCredentials.create(TarnProcess.ACCESS_KEY, TarnProcess.SECRET_KEY)))
            .forcePathStyle(true)
            .httpClientBuilder(Apache5HttpClient.builder())
            .build()) {
      s3.createBucket(r -> r.bucket("administered"));
      for (int number = 0; number < count; number++) {
        String key = "k" + number;
        s3.putObject(r -> r.bucket("administered").key(key), RequestBody.fromString(key));
      }
    }
  }
}
