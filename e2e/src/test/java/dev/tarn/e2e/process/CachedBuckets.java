package dev.tarn.e2e.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Makes buckets that cache those of another Tarn, by the command that users have. */
public final class CachedBuckets {
  private CachedBuckets() {}

  /**
   * Makes a bucket whose objects never change.
   *
   * @param backend the bucket of the origin
   * @param folder for the output of the command
   */
  public static void create(String name, String backend, TarnProcess origin, URI admin, Path folder)
      throws IOException, InterruptedException {
    bucketCommand(
        admin,
        folder,
        "create",
        name,
        "--backend=s3://" + backend,
        "--backend-endpoint=" + origin.s3(),
        "--freshness=immutable");
  }

  /**
   * Runs a command of {@code tarn bucket}, which must succeed.
   *
   * @param folder for the output of the command
   */
  static void bucketCommand(URI admin, Path folder, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = StartCache.command(StartCache.MAIN, List.of());
    command.add("bucket");
    command.addAll(List.of(arguments));
    command.add("--admin-url=" + admin);
    Path log = folder.resolve("bucket.log");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().put("TARN_ACCESS_KEY", TarnProcess.ACCESS_KEY);
    builder.environment().put("TARN_SECRET_KEY", TarnProcess.SECRET_KEY);
    builder.environment().put("TARN_BACKEND_ACCESS_KEY", TarnProcess.ACCESS_KEY);
    builder.environment().put("TARN_BACKEND_SECRET_KEY", TarnProcess.SECRET_KEY);
    assertThat(builder.start().waitFor()).as(Files.readString(log)).isZero();
  }
}
