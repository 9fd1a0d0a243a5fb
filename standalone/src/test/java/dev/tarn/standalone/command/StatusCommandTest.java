package dev.tarn.standalone.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.standalone.config.Settings;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code tarn status} says of what is stored. */
class StatusCommandTest {
  @TempDir private Path directory;

  @Test
  void oneProcessHasNoTargetsOfACluster() throws Exception {
    try (RunningTarn server = RunningTarn.start(directory)) {
      assertThat(server.run("cluster", "status").out())
          .contains("this server is a whole cluster in one process; tarn status shows its disks")
          .doesNotContain("liveness");
    }
  }

  @Test
  void bucketsAreShownWithTheirObjectsAndBytesAndTheCacheWithItsHits() throws Exception {
    try (RunningTarn backend = RunningTarn.start(directory.resolve("backend"));
        RunningTarn server = RunningTarn.start(directory.resolve("data"))) {
      backend.run("bucket", "create", "origin");
      try (Storage origin = backend.storage()) {
        origin.write(StorageUrl.parse("s3://origin/far"), ByteBuffer.allocate(2048));
      }
      server.run("bucket", "create", "plain");
      server.run("bucket", "create", "empty");
      server.run(
          "bucket",
          "create",
          "cached",
          "--freshness=immutable",
          "--backend=s3://origin",
          "--backend-endpoint=" + backend.tarn().ready().url(),
          "--backend-credentials=" + backend.tarn().credentialsFile());
      assertThat(server.run("status").out())
          .containsPattern("cached +0 +0 B +in the cache")
          .contains("stored: 0 objects, 0 B")
          .doesNotContain("cache hits");

      try (Storage storage = server.storage()) {
        for (int i = 0; i < 3; i++) {
          storage.write(StorageUrl.parse("s3://plain/" + i), ByteBuffer.allocate(1 << 20));
        }
        storage.delete(StorageUrl.parse("s3://plain/0"));
        for (int i = 0; i < 4; i++) {
          storage.readAll(StorageUrl.parse("s3://cached/far"), 1 << 20);
        }
      }

      assertThat(server.run("status").out())
          .containsPattern(
              "(?s)plain +2 +2.0 MiB +stored\\n.*cached +1 +2.[0-9] KiB.*empty +0 +0 B")
          .contains("stored: 3 objects, 2.0 MiB", "cache hits: 75.0 % of 4 reads");
      JsonObject stored =
          new JsonObject(server.run("status", "--json").out()).getJsonObject("stored");
      assertThat(stored.getJsonArray("buckets").getJsonObject(0).encode())
          .isEqualTo("{\"name\":\"plain\",\"objects\":2,\"bytes\":2097152,\"cached\":false}");
      assertThat(stored.getLong("cache_hits")).isEqualTo(3);
    }
  }

  @Test
  void fullDiskIsAProblemWithWhatToDo() throws Exception {
    Settings noRoom = Settings.none().with("target.store.reserve-bytes", "1000000GiB", "test");
    try (RunningTarn server = RunningTarn.start(directory, noRoom)) {
      assertThat(server.run("status").out())
          .startsWith("health: degraded\nproblem: disk ")
          .containsPattern(
              "problem: disk \\S+ of target \\S+ is full: 0 of [0-9,]+ bytes are free beyond"
                  + " target.store.reserve-bytes; .* but not written\nto do: enlarge the disk")
          .doesNotContain("reads of cached buckets");
    }
  }

  @Test
  void whatIsCachedLeavesAFullDiskByItself() throws Exception {
    Path origin = directory.resolve("origin");
    Path data = directory.resolve("data");
    try (RunningTarn backend = RunningTarn.start(origin)) {
      backend.run("bucket", "create", "origin");
      try (Storage storage = backend.storage()) {
        storage.write(StorageUrl.parse("s3://origin/one"), ByteBuffer.allocate(200 << 10));
        storage.write(StorageUrl.parse("s3://origin/two"), ByteBuffer.allocate(3 << 20));
      }
      try (RunningTarn server = RunningTarn.start(data)) {
        server.run(
            "bucket",
            "create",
            "cached",
            "--backend=s3://origin",
            "--backend-endpoint=" + backend.tarn().ready().url(),
            "--backend-credentials=" + backend.tarn().credentialsFile());
        try (Storage storage = server.storage()) {
          storage.readAll(StorageUrl.parse("s3://cached/one"), 200 << 10);
        }
      }
      Settings noRoom = Settings.none().with("target.store.reserve-bytes", "1000000GiB", "test");
      try (RunningTarn server = RunningTarn.start(data, noRoom)) {
        try (Storage storage = server.storage()) {
          storage.readAll(StorageUrl.parse("s3://cached/two"), 3 << 20);
        }
        assertThat(server.run("status").out())
            .contains("but not written", "to do: enlarge the disk")
            .doesNotContain("delete objects");
        Instant end = Instant.now().plusSeconds(60);
        while (cachedBytes(server) > 0) {
          assertThat(Instant.now()).isBefore(end);
        }
        try (Storage storage = server.storage()) {
          assertThat(storage.readAll(StorageUrl.parse("s3://cached/one"), 200 << 10))
              .hasSize(200 << 10);
        }
      }
    }
  }

  @Test
  void cachedBucketShowsHowWellItIsServedAndWhereItsBytesAre() throws Exception {
    try (RunningTarn backend = RunningTarn.start(directory.resolve("origin"));
        RunningTarn server = RunningTarn.start(directory.resolve("data"))) {
      backend.run("bucket", "create", "origin");
      try (Storage storage = backend.storage()) {
        storage.write(StorageUrl.parse("s3://origin/one"), ByteBuffer.allocate(3 << 20));
      }
      server.run("bucket", "create", "plain");
      server.run(
          "bucket",
          "create",
          "cached",
          "--backend=s3://origin",
          "--freshness=immutable",
          "--backend-endpoint=" + backend.tarn().ready().url(),
          "--backend-credentials=" + backend.tarn().credentialsFile());
      try (Storage storage = server.storage()) {
        storage.readAll(StorageUrl.parse("s3://cached/one"), 3 << 20);
        Instant end = Instant.now().plusSeconds(60);
        while (cachedBytes(server) < 3 << 20) { // Until then, another read would be a miss too.
          assertThat(Instant.now()).isBefore(end);
        }
        for (int i = 0; i < 3; i++) {
          storage.readAll(StorageUrl.parse("s3://cached/one"), 3 << 20);
        }
      }

      JsonObject minute = lastMinute(server);
      assertThat(minute.getLong("reads")).isEqualTo(4);
      assertThat(minute.getDouble("hit_ratio")).isEqualTo(0.75);
      assertThat(minute.getDouble("hit_ratio_by_bytes")).isEqualTo(0.75);
      assertThat(minute.getLong("fetches")).isEqualTo(1);
      assertThat(minute.getDouble("fetch_ms")).isPositive();
      assertThat(minute.getDouble("reads_per_second")).isPositive();
      assertThat(minute.getDouble("reads_per_second_max"))
          .isGreaterThanOrEqualTo(minute.getDouble("reads_per_second"));
      assertThat(server.run("bucket", "usage", "plain").out()).doesNotContain("last minute");
      assertThat(server.run("bucket", "ls", "--cached").out())
          .containsPattern("cached +1 +3\\.0 MiB +75\\.0 % +75\\.0 %")
          .doesNotContain("plain");
      assertThat(server.run("status").out())
          .containsPattern("TARGET +DISK +BUCKET +CACHED\\n\\S+ +\\S+ +cached +3\\.0 MiB");
    }
  }

  private static JsonObject lastMinute(RunningTarn server) {
    return new JsonObject(server.run("bucket", "usage", "cached", "--json").out())
        .getJsonObject("cache")
        .getJsonObject("last_minute");
  }

  private static long cachedBytes(RunningTarn server) {
    return new JsonObject(server.run("bucket", "usage", "cached", "--json").out()).getLong("bytes");
  }

  @Test
  void bucketWithoutABackendIsNotEvicted() throws Exception {
    try (RunningTarn server = RunningTarn.start(directory)) {
      server.run("bucket", "create", "plain");

      RunningTarn.Result refused = server.run("bucket", "evict", "plain");

      assertThat(refused.exitCode()).isEqualTo(1);
      assertThat(refused.err()).contains("the bucket has no backend");
    }
  }
}
