package dev.tarn.e2e.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** {@code tarn serve} in a process of its own, with the class path of the tests. */
public final class TarnProcess implements AutoCloseable {
  /** The first admin's access key id. */
  public static final String ACCESS_KEY = "e2e-access-key";

  /** The first admin's secret. */
  public static final String SECRET_KEY = "e2e-secret-key";

  /** The options of the JVM, unless a test needs others. */
  static final List<String> JVM_OPTIONS = List.of("-Xmx512m");

  private static final Pattern READY =
      Pattern.compile(
          "ready (?:s3|target|control)=(?<url>\\S+) admin=(?<admin>\\S+) pid=(?<pid>\\d+)");
  private static final long STOP_SECONDS_MAX = 30;

  private final Process process;
  private final URI url;
  private final URI admin;

  private TarnProcess(Process process, URI url, URI admin) {
    this.process = process;
    this.url = url;
    this.admin = admin;
  }

  /** Starts it on free ports with its data and log below this folder, and waits until it serves. */
  public static TarnProcess start(Path folder, String... options) throws IOException {
    return startAt("127.0.0.1:0", folder, options);
  }

  /** Starts it where others look for it, and waits until it serves. */
  public static TarnProcess startAt(String listen, Path folder, String... options)
      throws IOException {
    return startAt(listen, folder, List.of(), JVM_OPTIONS, options);
  }

  /**
   * The same with these options of the JVM.
   *
   * @param launcher a command that starts the command that follows it; empty for none
   */
  static TarnProcess startAt(
      String listen, Path folder, List<String> launcher, List<String> jvmOptions, String... options)
      throws IOException {
    List<String> command = new ArrayList<>(launcher);
    command.addAll(StartCache.command(StartCache.MAIN, jvmOptions));
    return start(command, listen, folder, options);
  }

  /** The same with this command, which runs the main class. */
  static TarnProcess start(List<String> java, String listen, Path folder, String... options)
      throws IOException {
    List<String> command = new ArrayList<>(java);
    command.addAll(
        List.of(
            "serve",
            "--listen",
            listen,
            "--admin-listen",
            "127.0.0.1:0",
            "--data",
            folder.resolve("data").toString()));
    command.addAll(List.of(options));
    Path log = folder.resolve("tarn.log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(false)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().put("TARN_ACCESS_KEY", ACCESS_KEY);
    builder.environment().put("TARN_SECRET_KEY", SECRET_KEY);
    Process process = builder.start();
    Matcher ready = readyLine(process, log);
    return new TarnProcess(
        process, URI.create(ready.group("url")), URI.create(ready.group("admin")));
  }

  private static Matcher readyLine(Process process, Path log) throws IOException {
    var out = process.inputReader();
    String line = out.readLine();
    while (line != null) {
      Matcher ready = READY.matcher(line);
      if (ready.find()) {
        return ready;
      }
      line = out.readLine();
    }
    throw new IOException("tarn did not start: " + Files.readString(log));
  }

  /** Where it speaks S3; of the roles control and target, where it speaks to members. */
  public URI s3() {
    return url;
  }

  /** A new client of its S3 by the first admin's keys. What fails it does not try again. */
  public S3Client openS3Client() {
    return S3Client.builder()
        .endpointOverride(url)
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create(ACCESS_KEY, SECRET_KEY)))
        .forcePathStyle(true)
        .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry()))
        .httpClientBuilder(Apache5HttpClient.builder())
        .build();
  }

  /** Where it speaks the admin API. */
  public URI admin() {
    return admin;
  }

  /** The process. */
  public ProcessHandle handle() {
    return process.toHandle();
  }

  /** Stops it without its knowledge: it keeps its connections and answers nothing. */
  public void pause() throws IOException {
    signal("STOP");
  }

  /** Continues it after a pause. */
  public void resume() throws IOException {
    signal("CONT");
  }

  private void signal(String name) throws IOException {
    try {
      int status =
          new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
      if (status != 0) {
        throw new IOException("kill -" + name + " ended with code " + status);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Ends it as an administrator would, and gives its exit code. */
  public int stop() {
    process.destroy();
    return awaitExit();
  }

  /** Ends it as a power cut would. */
  public void kill() {
    process.destroyForcibly();
    awaitExit();
  }

  private int awaitExit() {
    try {
      if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException("tarn did not end within " + STOP_SECONDS_MAX + " s");
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException("interrupted", e));
    }
  }

  @Override
  public void close() {
    if (process.isAlive()) {
      stop();
    }
  }
}
