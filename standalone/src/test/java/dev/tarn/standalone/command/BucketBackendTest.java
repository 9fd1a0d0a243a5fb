package dev.tarn.standalone.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
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
