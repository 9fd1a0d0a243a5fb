package dev.tarn.benchmarks.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** A gateway that reaches one target over HTTP, each a process of its own. */
public record TarnCluster(Tarn gateway, Tarn target) implements AutoCloseable {
  private static final String SECRET = "a secret of benchmarks and of no value";
  private static final String TARGET = "only";

  /**
   * Starts both.
   *
   * @param scratch a folder of its own for configuration, data and logs
   */
  public static TarnCluster start(TarnHome home, Path scratch) throws IOException {
    InetSocketAddress address = FreeAddress.onLoopback();
    String listen = address.getAddress().getHostAddress() + ":" + address.getPort();
    Path configuration = configure(scratch, listen);
    Tarn target =
        start(
            "target", listen, home, scratch, configuration, "--set", "cluster.target-id=" + TARGET);
    try {
      return new TarnCluster(start("gateway", "127.0.0.1:0", home, scratch, configuration), target);
    } catch (IOException e) {
      target.close();
      throw e;
    }
  }

  private static Path configure(Path scratch, String target) throws IOException {
    Path secret = Files.writeString(scratch.resolve("secret"), SECRET);
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    return Files.writeString(
        scratch.resolve("cluster.yaml"),
        """
        cluster:
          secret-file: "%s"
          targets:
            - {id: "%s", address: "%s", weight: 1}
        """
            .formatted(secret, TARGET, target));
  }

  private static Tarn start(
      String role,
      String listen,
      TarnHome home,
      Path scratch,
      Path configuration,
      String... options)
      throws IOException {
    Path folder = Files.createDirectory(scratch.resolve(role));
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--role",
                role,
                "--config",
                configuration.toString(),
                "--data",
                folder.resolve("data").toString()));
    arguments.addAll(List.of(options));
    return Tarn.startAt(listen, home, folder, arguments);
  }

  @Override
  public void close() {
    gateway.close();
    target.close();
  }
}
