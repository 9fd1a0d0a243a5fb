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

/** {@code bin/tarn serve} on free ports with a data folder of its own. */
public final class TarnServer implements AutoCloseable {
  /** The first admin user's, made for the run. */
  public static final Credentials CREDENTIALS =
      new Credentials("BENCHMARKACCESSKEY00", "benchmark-secret-key-of-no-value-00000000");

  // The launcher may have to build first.
  private static final Duration START_TIMEOUT = Duration.ofMinutes(5);

  private final ServerProcess process;
  private final StartedServer ready;

  private TarnServer(ServerProcess process, StartedServer ready) {
    this.process = process;
    this.ready = ready;
  }

  /**
   * Starts gateway and target in one process.
   *
   * @param scratch a folder of its own for data and logs
   */
  public static TarnServer start(TarnHome home, Path scratch) throws IOException {
    return start(home, scratch, List.of("--data", scratch.resolve("data").toString()));
  }

  /** Starts with the given options besides the listeners and the ready file. */
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

  /** For the first admin's key pair, or as the one who asks. */
  static void putCredentials(ProcessBuilder command) {
    command.environment().put("TARN_ACCESS_KEY", CREDENTIALS.accessKey());
    command.environment().put("TARN_SECRET_KEY", CREDENTIALS.secretKey());
  }

  public InetSocketAddress address() {
    return ready.address();
  }

  /** Of the S3 listener. */
  public URI endpoint() {
    return URI.create(
        "http://%s:%d".formatted(address().getAddress().getHostAddress(), address().getPort()));
  }

  /** For a client of the first admin's. */
  public StorageOptions storageOptions() {
    return StorageOptions.builder()
        .endpoint(endpoint())
        .credentials(AccessKeys.of(CREDENTIALS.accessKey(), CREDENTIALS.secretKey()))
        .build();
  }

  /** Of the admin listener. */
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
