package dev.tarn.benchmarks.server;

import dev.tarn.benchmarks.load.Credentials;
import dev.tarn.client.storage.AccessKeys;
import dev.tarn.client.storage.StorageOptions;
import java.io.IOException;
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
    return start(home, scratch, List.of("--data", scratch.resolve("data").toString()));
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

  @Override
  public void close() {
    process.close();
  }
}
