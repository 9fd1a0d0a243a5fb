package dev.tarn.benchmarks.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.client.storage.AccessKeys;
import dev.tarn.client.storage.StorageOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A process of {@code bin/tarn serve} on free ports. */
public final class TarnServer implements AutoCloseable {
  /** The key pair of the first admin. */
  public static final Credentials CREDENTIALS =
      new Credentials("BENCHMARKACCESSKEY00", "benchmark-secret-key-of-no-value-00000000");

  // Long enough for a build by the launcher.
  private static final Duration START_TIMEOUT = Duration.ofMinutes(5);

  private final ServerProcess process;
  private final StartedServer ready;

  private TarnServer(ServerProcess process, StartedServer ready) {
    this.process = process;
    this.ready = ready;
  }

  /**
   * Starts a server with all roles in one process.
   *
   * @param scratch a folder for its data and logs alone
   */
  public static TarnServer start(TarnHome home, Path scratch) throws IOException {
    return startWith(home, scratch, List.of());
  }

  /** Starts a server with data in its folder and these settings, such as {@code a.b=c}. */
  public static TarnServer startWith(TarnHome home, Path scratch, List<String> settings)
      throws IOException {
    List<String> options = new ArrayList<>(List.of("--data", scratch.resolve("data").toString()));
    settings.forEach(setting -> options.addAll(List.of("--set", setting)));
    return start(home, scratch, options);
  }

  /** Starts a server with these options; options for the listeners and the ready file are added. */
  public static TarnServer start(TarnHome home, Path scratch, List<String> options)
      throws IOException {
    Path readyFile = scratch.resolve("ready");
    Files.deleteIfExists(readyFile);
    List<String> command = new ArrayList<>(List.of(home.tarn().toString(), "serve"));
    command.addAll(List.of("--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"));
    command.addAll(List.of("--ready-file", readyFile.toString()));
    command.addAll(options);
    ProcessBuilder builder = new ProcessBuilder(command);
    putCredentials(builder);
    ServerProcess process = ServerProcess.start(builder, scratch.resolve("server.log"));
    try {
      return new TarnServer(
          process, process.await(() -> StartedServer.read(readyFile), START_TIMEOUT));
    } catch (IOException e) {
      process.close();
      throw e;
    }
  }

  /** Puts the first admin's key pair into the environment of a server or command. */
  static void putCredentials(ProcessBuilder command) {
    command.environment().put("TARN_ACCESS_KEY", CREDENTIALS.accessKey());
    command.environment().put("TARN_SECRET_KEY", CREDENTIALS.secretKey());
  }

  public InetSocketAddress address() {
    return ready.address();
  }

  /** The URL of the S3 listener. */
  public URI endpoint() {
    return URI.create(
        "http://%s:%d".formatted(address().getAddress().getHostAddress(), address().getPort()));
  }

  /** The options of an SDK client with the first admin's key pair. */
  public StorageOptions storageOptions() {
    return StorageOptions.builder()
        .endpoint(endpoint())
        .credentials(AccessKeys.of(CREDENTIALS.accessKey(), CREDENTIALS.secretKey()))
        .build();
  }

  /** The URL of the admin listener. */
  URI admin() {
    return ready.admin();
  }

  public long pid() {
    return ready.pid();
  }

  /** Stops the process without its knowledge: it keeps its connections and answers nothing. */
  public void pause() throws IOException {
    signal("STOP");
  }

  /** Continues the process after a pause. */
  public void resume() throws IOException {
    signal("CONT");
  }

  /** Ends the process at once, without its knowledge. */
  public void kill() throws IOException {
    signal("KILL");
  }

  private void signal(String name) throws IOException {
    run(new ProcessBuilder("kill", "-" + name, Long.toString(pid())));
  }

  /**
   * Creates a bucket of this server that caches one of another.
   *
   * @param home whose command is used
   * @param origin the URL of the other server
   */
  public void createCachedBucket(TarnHome home, String bucket, URI origin, String cached)
      throws IOException {
    ProcessBuilder command =
        new ProcessBuilder(
                home.tarn().toString(),
                "bucket",
                "create",
                bucket,
                "--backend=s3://" + cached,
                "--backend-endpoint=" + origin,
                "--freshness=immutable",
                "--admin-url=" + admin())
            .inheritIO();
    putCredentials(command);
    command.environment().put("TARN_BACKEND_ACCESS_KEY", CREDENTIALS.accessKey());
    command.environment().put("TARN_BACKEND_SECRET_KEY", CREDENTIALS.secretKey());
    command.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    run(command);
  }

  /** Runs a command to its end. */
  private static void run(ProcessBuilder command) throws IOException {
    try {
      int status = command.start().waitFor();
      if (status != 0) {
        throw new IOException(String.join(" ", command.command()) + " ended with code " + status);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a command ran", e);
    }
  }

  /** Reads the value of a metric without tags. */
  public double metric(String name) throws IOException {
    try (InputStream metrics = admin().resolve("/metrics").toURL().openStream()) {
      return new String(metrics.readAllBytes(), UTF_8)
          .lines()
          .filter(line -> line.startsWith(name + " "))
          .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
          .findFirst()
          .orElseThrow(() -> new IOException("no metric " + name + " at " + admin()));
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
