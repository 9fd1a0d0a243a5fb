package dev.tarn.standalone.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.standalone.command.RunningTarn.Result;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApplyCommandTest {
  @TempDir Path directory;

  private Path trainer;
  private Path origin;

  @BeforeEach
  void writeKeyPairs() throws IOException {
    trainer = pairFolder("trainer", "TRAINERKEY", "trainer-secret");
    origin = pairFolder("origin", "ORIGINKEY", "origin-secret");
  }

  @Test
  void whatIsDeclaredIsMadeAndMadeAgainChangesNothing() throws Exception {
    Path file =
        declare(
            """
            users:
              - {name: trainer, admin: false, credentials: %s}
            backends:
              - {name: public, endpoint: 'http://127.0.0.1:1', region: eu-north-1}
            buckets:
              - {name: checkpoints, owner: trainer, settings: {durability: os, verify: always}}
              - name: images
                settings: {anonymous-read: true, freshness: 15m}
                backend: {name: public, bucket: archive, prefix: v3/}
            """
                .formatted(trainer));
    try (RunningTarn server = RunningTarn.start(directory.resolve("data"))) {
      Result made = server.run("apply", file.toString());
      assertThat(made.out().lines())
          .containsExactly(
              "user trainer: made",
              "key TRAINERKEY: made for trainer",
              "bucket checkpoints: made",
              "bucket images: made");
      assertThat(show(server, "checkpoints").getString("owner")).isEqualTo("trainer");
      assertThat(show(server, "images").getJsonObject("settings"))
          .isEqualTo(
              new JsonObject(
                  """
                  {"durability": "os", "verify": "scrub", "freshness": "15m",
                   "anonymous_read": true, "hide_backend": false,
                   "cache_max": "none", "cache_min": "none", "cache_rules": "none",
                   "listing": "complete",
                   "backend": {"endpoint": "http://127.0.0.1:1", "region": "eu-north-1",
                    "bucket": "archive", "prefix": "v3/", "access_key_id": ""}}
                  """));

      Result again = server.run("apply", file.toString());
      assertThat(again.exitCode()).isZero();
      assertThat(again.out().lines()).hasSize(4).allMatch(line -> line.endsWith(": unchanged"));
    }
  }

  @Test
  void whatIsDeclaredOtherwiseIsSetAndTheRestStays() throws Exception {
    try (RunningTarn server = RunningTarn.start(directory.resolve("data"))) {
      server.run("bucket", "create", "data", "--verify=always");
      server.run("bucket", "create", "other");

      Result set =
          server.run(
              "apply", declare("buckets: [{name: data, settings: {durability: os}}]").toString());

      assertThat(set.out()).isEqualTo("bucket data: set\n");
      assertThat(show(server, "data").getJsonObject("settings").getMap())
          .containsEntry("durability", "os")
          .containsEntry("verify", "always");
      assertThat(server.run("bucket", "list").out()).contains("other");
    }
  }

  @Test
  void pairOfABackendIsSetWhenItsAccessKeyIsAnother() throws Exception {
    String text =
        """
        backends: [{name: private, endpoint: 'http://127.0.0.1:1', credentials: %s}]
        buckets: [{name: cache, backend: {name: private, bucket: archive}}]
        """;
    Path file = declare(text.formatted(origin));
    try (RunningTarn server = RunningTarn.start(directory.resolve("data"))) {
      assertThat(server.run("apply", file.toString()).out()).isEqualTo("bucket cache: made\n");
      assertThat(server.run("apply", file.toString()).out()).isEqualTo("bucket cache: unchanged\n");

      declare(text.formatted(pairFolder("newer", "NEWERKEY", "newer-secret")));
      assertThat(server.run("apply", file.toString()).out()).isEqualTo("bucket cache: set\n");
      assertThat(server.run("bucket", "show", "cache").out())
          .contains("NEWERKEY")
          .doesNotContain("newer-secret");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2 | user: [] | unknown key 'user'; did you mean 'users'?",
        "2 | users: [{admin: true}] | users[0].name is missing",
        "2 | buckets: [{name: a}, {name: a}] | the bucket a is declared twice",
        "2 | buckets: [{name: aaa, settings: {freshness: soon}}] | must be immutable, revalidate or"
            + " a time",
        "2 | buckets: [{name: aaa, settings: {durability: maybe}}] | must be one of fsync, os",
        "2 | buckets: [{name: aaa, settings: {verifi: scrub}}] | did you mean"
            + " 'buckets[].settings.verify'",
        "2 | buckets: [{name: aaa, backend: {name: b, bucket: ccc}}] | caches the backend b, which",
        "2 | users: [{name: u, credentials: /nowhere}] | credentials of the user u /nowhere is no",
        "2 | users: [{name: u, credentials: /}] | is a folder without a readable access-key",
        "1 | buckets: [{name: aaa, owner: nobody}] | there is no user 'nobody'",
        "1 | users: [{name: admin, admin: false}] | the user admin is there and an admin",
        "1 | buckets: [{name: there, owner: other}] | the bucket there belongs to the user admin",
        "1 | users: [{name: other, credentials: OWN}] | belongs to the user admin",
      })
  void whatCannotBeIsRefusedByName(int exitCode, String text, String message) throws Exception {
    try (RunningTarn server = RunningTarn.start(directory.resolve("data"))) {
      server.run("bucket", "create", "there");
      server.run("user", "create", "other");
      String own = server.tarn().credentialsFile().toString();
      Result result = server.run("apply", declare(text.replace("OWN", own)).toString());
      assertThat(result.err()).contains(message).doesNotContain("\tat ");
      assertThat(result.exitCode()).isEqualTo(exitCode);
    }
  }

  @Test
  void nothingIsMadeWhenAKeyPairCannotBeRead() throws Exception {
    Path file =
        declare("users: [{name: first}, {name: second, credentials: " + directory + "/none}]");
    try (RunningTarn server = RunningTarn.start(directory.resolve("data"))) {
      assertThat(server.run("apply", file.toString()).exitCode()).isEqualTo(2);
      assertThat(server.run("user", "list").out()).doesNotContain("first");
    }
  }

  private Path declare(String text) throws IOException {
    return Files.writeString(directory.resolve("declared.yaml"), text);
  }

  private Path pairFolder(String name, String accessKey, String secretKey) throws IOException {
    Path folder = Files.createDirectory(directory.resolve(name));
    Files.writeString(folder.resolve("access-key"), accessKey);
    Files.writeString(folder.resolve("secret-key"), secretKey + "\n");
    return folder;
  }

  private static JsonObject show(RunningTarn server, String bucket) {
    return new JsonObject(server.run("bucket", "show", bucket, "--json").out());
  }
}
