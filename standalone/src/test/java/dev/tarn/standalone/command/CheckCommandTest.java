package dev.tarn.standalone.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.standalone.command.RunningTarn.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckCommandTest {
  @TempDir Path directory;

  @Test
  void objectIsPutGotListedAndDeleted() throws Exception {
    try (RunningTarn server = RunningTarn.start(directory)) {
      server.run("bucket", "create", "data");

      Result result = check(server, "s3://data/some/prefix");

      assertThat(result.err()).isEmpty();
      assertThat(result.exitCode()).isZero();
      assertThat(result.out().lines().map(line -> line.substring(0, line.indexOf(' '))))
          .containsExactly("put", "get", "list", "delete", "list");
      assertThat(result.out()).contains("s3://data/some/prefix/tarn-check-");
      assertThat(server.run("bucket", "delete", "data").exitCode()).isZero();
    }
  }

  @Test
  void missingBucketIsAFailure() throws Exception {
    try (RunningTarn server = RunningTarn.start(directory)) {
      Result result = check(server, "s3://none/");
      assertThat(result.exitCode()).isEqualTo(1);
      assertThat(result.err()).contains("s3://none/").doesNotContain("\tat ");
    }
  }

  @Test
  void placeThatIsNotInS3IsWrongUsage() {
    Result result = RunningTarn.execute("check", directory.toString());
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("is not s3://BUCKET/PREFIX");
  }

  private static Result check(RunningTarn server, String place) {
    return RunningTarn.execute(
        "check",
        place,
        "--endpoint=" + server.tarn().ready().url(),
        "--credentials=" + server.tarn().credentialsFile());
  }
}
