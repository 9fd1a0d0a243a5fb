package dev.tarn.benchmarks.origin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.benchmarks.server.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A process of {@link SyntheticOrigin}. */
public final class OriginServer implements AutoCloseable {
  private static final Duration START_TIMEOUT = Duration.ofSeconds(30);

  private final ServerProcess process;
  private final InetSocketAddress address;

  private OriginServer(ServerProcess process, InetSocketAddress address) {
    this.process = process;
    this.address = address;
  }

  /**
   * Starts an origin, and waits until it answers.
   *
   * @param scratch a folder for its files alone
   * @param latency of each answer's first byte
   * @param bytesPerSecond the bandwidth of all answers together; 0 for no limit
   */
  public static OriginServer start(Path scratch, Duration latency, long bytesPerSecond)
      throws IOException {
    Path port = scratch.resolve("port");
    ProcessBuilder command =
        new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                SyntheticOrigin.class.getName(),
                port.toString(),
                Long.toString(latency.toMillis()),
                Long.toString(bytesPerSecond)));
    ServerProcess process = ServerProcess.start(command, scratch.resolve("origin.log"));
    try {
      int number = process.await(() -> read(port), START_TIMEOUT);
      return new OriginServer(
          process, new InetSocketAddress(InetAddress.getLoopbackAddress(), number));
    } catch (IOException e) {
      process.close();
      throw e;
    }
  }

  private static Optional<Integer> read(Path port) throws IOException {
    return Files.exists(port)
        ? Optional.of(Integer.parseInt(Files.readString(port)))
        : Optional.empty();
  }

  public InetSocketAddress address() {
    return address;
  }

  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + address.getPort());
  }

  /** What it has served so far. */
  public OriginFigures figures() throws IOException {
    try (InputStream text = endpoint().resolve(SyntheticOrigin.FIGURES).toURL().openStream()) {
      return OriginFigures.parse(new String(text.readAllBytes(), UTF_8));
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
