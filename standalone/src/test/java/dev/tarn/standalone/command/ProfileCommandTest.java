package dev.tarn.standalone.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code tarn profile} says of the requests. */
class ProfileCommandTest {
  @TempDir private Path directory;

  @Test
  void mixSizesBucketsAndPrefixesOfRealRequestsAreShown() throws Exception {
    try (RunningTarn server = RunningTarn.start(directory)) {
      server.run("bucket", "create", "busy");
      server.run("bucket", "create", "calm");
      try (Storage storage = server.storage()) {
        storage.write(StorageUrl.parse("s3://busy/train/a"), ByteBuffer.allocate(3000));
        storage.write(StorageUrl.parse("s3://calm/b"), ByteBuffer.allocate(100));
        for (int i = 0; i < 98; i++) {
          storage.readAll(StorageUrl.parse("s3://busy/train/a"), 1 << 20);
        }
      }

      String shown = server.run("profile").out();
      assertThat(shown).containsPattern("(?m)^5m +100 +98.0 % +2.0 % +0.0 % +0.0 % +0$");
      assertThat(shown).containsPattern("up to 4.0 KiB +99");
      assertThat(shown).containsPattern("busy +99 +2[0-9]+ KiB +0\\n *calm +1 +[0-9]+ B +0");
      assertThat(shown).containsPattern("busy/train/ +[0-9]+");
      assertThat(server.run("profile", "--bucket=calm").out())
          .containsPattern("(?m)^1h +1 +0.0 % +100.0 %");
      JsonObject profile = new JsonObject(server.run("profile", "--json").out());
      assertThat(profile.getJsonArray("day")).hasSize(288);
      assertThat(server.run("profile", "--bucket=none").err())
          .contains("there is no bucket 'none'");
    }
  }

  @Test
  void coldCacheAndItsBackendAreShown() throws Exception {
    try (RunningTarn origin = RunningTarn.start(directory.resolve("origin"));
        RunningTarn server = RunningTarn.start(directory.resolve("cache"))) {
      origin.run("bucket", "create", "origin");
      try (Storage storage = origin.storage()) {
        storage.write(StorageUrl.parse("s3://origin/a"), ByteBuffer.allocate(1 << 20));
      }
      server.run(
          "bucket",
          "create",
          "cached",
          "--backend=s3://origin",
          "--backend-endpoint=" + origin.tarn().ready().url(),
          "--backend-credentials=" + origin.tarn().credentialsFile());
      assertThat(server.run("profile").out()).doesNotContain("from_backend");
      try (Storage storage = server.storage()) {
        for (int i = 0; i < 4; i++) {
          storage.readAll(StorageUrl.parse("s3://cached/a"), 1 << 20);
        }
      }

      String shown = server.run("profile", "--bucket=cached").out();
      assertThat(shown)
          .containsPattern("(?m)^24h +3.0 MiB +1.0 MiB +75.0 % +1 +0 +[0-9.]+ ms +[0-9.]+ ms$");
      assertThat(shown).containsPattern("OBJECT SIZE +READS\\nup to 2.0 MiB +4");
    }
  }
}
