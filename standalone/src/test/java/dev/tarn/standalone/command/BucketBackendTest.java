package dev.tarn.standalone.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The backend of a bucket on the command line. */
final class BucketBackendTest {
  @TempDir private Path directory;

  @Test
  void backendIsShownWithoutItsSecret() throws Exception {
    Path pair = directory.resolve("pair");
    Files.writeString(pair, "[x]\naws_access_key_id = AKBACKEND\naws_secret_access_key = hush\n");
    try (RunningTarn server = RunningTarn.start(directory.resolve("data"))) {
      RunningTarn.Result made =
          server.run(
              "bucket",
              "create",
              "cache",
              "--backend",
              "s3://origin/some/prefix/",
              "--backend-endpoint",
              "http://127.0.0.1:1",
              "--backend-credentials",
              pair.toString(),
              "--no-probe");
      assertThat(made.out())
          .contains("bucket: origin", "prefix: some/prefix/", "AKBACKEND", "durability: os")
          .doesNotContain("hush");
      assertThat(server.run("bucket", "show", "cache", "--json").out()).doesNotContain("hush");
    }
  }

  @Test
  void whatIsNotSaidOfABackendStaysAsItIs() throws Exception {
    Path pair = directory.resolve("pair");
    Files.writeString(pair, "[x]\naws_access_key_id = AKBACKEND\naws_secret_access_key = hush\n");
    try (RunningTarn server = RunningTarn.start(directory.resolve("data"))) {
      server.run(
          "bucket",
          "create",
          "cache",
          "--backend=s3://origin/one/",
          "--backend-endpoint=http://127.0.0.1:1",
          "--backend-credentials=" + pair,
          "--no-probe");

      assertThat(server.run("bucket", "set", "cache", "--backend-region=eu-north-1").out())
          .contains(
              "region: eu-north-1",
              "prefix: one/",
              "endpoint: http://127.0.0.1:1",
              "access key id: AKBACKEND");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--backend=s3://origin/two/",
        "--backend-endpoint=http://127.0.0.1:2",
        "--no-backend"
      })
  void bucketKeepsTheBackendThatItsBytesCameFrom(String option) throws Exception {
    try (RunningTarn server = RunningTarn.start(directory.resolve("data"))) {
      server.run(
          "bucket",
          "create",
          "cache",
          "--backend=s3://origin/one/",
          "--backend-endpoint=http://127.0.0.1:1",
          "--no-probe");

      RunningTarn.Result moved = server.run("bucket", "set", "cache", option);

      assertThat(moved.exitCode()).isEqualTo(1);
      assertThat(moved.err()).contains("create another bucket for another backend");
      assertThat(server.run("bucket", "show", "cache").out())
          .contains("prefix: one/", "endpoint: http://127.0.0.1:1");
    }
  }

  @Test
  void prefixOfABackendIsAFolder() throws Exception {
    try (RunningTarn server = RunningTarn.start(directory.resolve("data"))) {
      assertThat(
              server
                  .run("bucket", "create", "cache", "--backend=s3://origin/train", "--no-probe")
                  .out())
          .contains("prefix: train/");
    }
  }

  @Test
  void bucketIsNotCreatedIfItsBackendCannotBeListed() throws Exception {
    try (RunningTarn backend = RunningTarn.start(directory.resolve("backend"));
        RunningTarn server = RunningTarn.start(directory.resolve("data"))) {
      String endpoint = "--backend-endpoint=" + backend.tarn().ready().url();
      String keys = "--backend-credentials=" + backend.tarn().credentialsFile();
      String[] create = {
        "bucket", "create", "cache", "--backend=s3://origin/train", endpoint, keys
      };

      RunningTarn.Result refused = server.run(create);
      assertThat(refused.exitCode()).isEqualTo(1);
      assertThat(refused.err())
          .contains("probe of its backend failed")
          .contains("s3://origin/train/ at " + backend.tarn().ready().url())
          .contains("404 NoSuchBucket; create that bucket")
          .contains("--no-probe");
      assertThat(server.run("bucket", "list").out()).doesNotContain("cache");

      backend.run("bucket", "create", "origin");
      assertThat(server.run(create).exitCode()).isZero();
    }
  }

  @Test
  void leastBytesThatTheDisksCannotHoldAreRefusedByName() throws Exception {
    try (RunningTarn server = RunningTarn.start(directory.resolve("data"))) {
      server.run("bucket", "create", "small", "--cache-min=1GiB");

      RunningTarn.Result refused = server.run("bucket", "create", "large", "--cache-min=500PiB");
      assertThat(refused.exitCode()).isEqualTo(1);
      assertThat(refused.err())
          .contains("cache-min of bucket 'large' is 500PiB", "small: 1GiB", "Choose less");
      assertThat(server.run("bucket", "list").out()).doesNotContain("large");
      assertThat(server.run("bucket", "set", "small", "--cache-min=500PiB").exitCode())
          .isEqualTo(1);
    }
  }

  @Test
  void cacheRulesAreAddedReplacedListedAndRemoved() throws Exception {
    try (RunningTarn server = RunningTarn.start(directory.resolve("data"))) {
      server.run("bucket", "create", "data", "--backend=s3://origin/train", "--no-probe");
      String[] add = {"bucket", "cache-rule", "add", "data"};
      assertThat(run(server, add, "--prefix=a b/", "--mode=pin", "--freshness=15m").out())
          .containsPattern("a b/ +pin +15m");
      run(server, add, "--prefix=a b/", "--mode=bypass");
      run(server, add, "--prefix=", "--freshness=immutable");

      assertThat(server.run("bucket", "cache-rule", "list", "data", "--json").out())
          .contains(
              """
              "rules":[{"prefix":"a b/","mode":"bypass","freshness":null},\
              {"prefix":"","mode":"normal","freshness":"immutable"}]\
              """);
      assertThat(server.run("bucket", "show", "data").out())
          .contains("cache rules: bypass:a%20b/ normal=immutable:");
      server.run("bucket", "cache-rule", "remove", "data", "--prefix=a b/");
      assertThat(server.run("bucket", "show", "data").out())
          .contains("cache rules: normal=immutable:");
    }
  }

  @Test
  void rulesThatAreAddedAtOnceAreAllThere() throws Exception {
    try (RunningTarn server = RunningTarn.start(directory.resolve("data"))) {
      server.run("bucket", "create", "data", "--backend=s3://origin/train", "--no-probe");
      List<String> prefixes = List.of("a/", "b/", "c/", "d/");
      List<Future<RunningTarn.Result>> added = new ArrayList<>();
      try (ExecutorService threads = Executors.newThreadPerTaskExecutor(Thread::new)) {
        for (String prefix : prefixes) {
          added.add(
              threads.submit(
                  () -> server.run("bucket", "cache-rule", "add", "data", "--prefix=" + prefix)));
        }
      }

      for (Future<RunningTarn.Result> one : added) {
        assertThat(one.get().exitCode()).as(one.get().err()).isZero();
      }
      for (String prefix : prefixes) {
        assertThat(server.run("bucket", "cache-rule", "list", "data", "--json").out())
            .contains("{\"prefix\":\"" + prefix + "\"");
      }
    }
  }

  @Test
  void wrongCacheRulesAreRefusedByName() throws Exception {
    try (RunningTarn server = RunningTarn.start(directory.resolve("data"))) {
      server.run("bucket", "create", "plain");
      server.run("bucket", "create", "data", "--backend=s3://origin/train", "--no-probe");
      String[] add = {"bucket", "cache-rule", "add"};

      assertThat(run(server, add, "data", "--prefix=a", "--mode=keep").err())
          .contains("--mode is 'keep', must be normal, bypass or pin");
      assertThat(run(server, add, "data", "--prefix=a", "--mode=bypass", "--freshness=1m").err())
          .contains("bypasses the cache and has a freshness");
      assertThat(run(server, add, "plain", "--prefix=a").err())
          .contains("bucket 'plain' has no backend");
      assertThat(server.run("bucket", "cache-rule", "remove", "data", "--prefix=a").err())
          .contains("has no rule of prefix 'a', but: none");
      assertThat(server.run("bucket", "set", "data", "--cache-rules=keep:a").err())
          .contains("must be like pin:train/ or normal=15m:labels/");
    }
  }

  private static RunningTarn.Result run(RunningTarn server, String[] command, String... more)
      throws Exception {
    return server.run(Stream.of(command, more).flatMap(Stream::of).toArray(String[]::new));
  }

  @Test
  void leastBytesAreAtMostTheMost() throws Exception {
    try (RunningTarn server = RunningTarn.start(directory.resolve("data"))) {
      assertThat(
              server.run("bucket", "create", "data", "--cache-min=2GiB", "--cache-max=1GiB").err())
          .contains("cache-min is 2GiB, must be at most cache-max, which is 1GiB");
      server.run("bucket", "create", "data", "--cache-min=1GiB", "--cache-max=2GiB");
      assertThat(server.run("bucket", "show", "data").out())
          .contains("cache min: 1GiB", "cache max: 2GiB");
      assertThat(server.run("bucket", "set", "data", "--cache-max=some").err())
          .contains("'some' must be none or a size such as 500GiB");
    }
  }
}
