package dev.tarn.benchmarks.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A cluster of one gateway, one target and one control node, each a process of its own. The gateway
 * calls the target over HTTP. The control node is idle once the cluster is formed.
 */
public record TarnCluster(TarnServer control, TarnServer target, TarnServer gateway)
    implements AutoCloseable {
  private static final String SECRET = "a secret of benchmarks and of no value";

  /**
   * Starts the three processes.
   *
   * @param scratch a folder for the secret, data and logs alone
   */
  public static TarnCluster start(TarnHome home, Path scratch) throws IOException {
    Path secret = Files.writeString(scratch.resolve("secret"), SECRET);
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    String shared = "cluster.secret-file=" + secret;
    Deque<TarnServer> started = new ArrayDeque<>();
    try {
      started.push(start("control", home, scratch, shared));
      TarnServer control = started.getFirst();
      String follow =
          "cluster.control=http://"
              + control.address().getAddress().getHostAddress()
              + ":"
              + control.address().getPort();
      started.push(start("target", home, scratch, shared, follow, "cluster.target-id=only"));
      TarnServer target = started.getFirst();
      form(home, scratch, control);
      return new TarnCluster(control, target, start("gateway", home, scratch, shared, follow));
    } catch (IOException e) {
      started.forEach(TarnServer::close);
      throw e;
    }
  }

  private static TarnServer start(String role, TarnHome home, Path scratch, String... settings)
      throws IOException {
    Path folder = Files.createDirectory(scratch.resolve(role));
    List<String> arguments =
        new ArrayList<>(List.of("--role", role, "--data", folder.resolve("data").toString()));
    for (String setting : settings) {
      arguments.addAll(List.of("--set", setting));
    }
    return TarnServer.start(home, folder, arguments);
  }

  /** Puts the target into the cluster map. */
  private static void form(TarnHome home, Path scratch, TarnServer control) throws IOException {
    Path log = scratch.resolve("formation.log");
    ProcessBuilder command =
        new ProcessBuilder(
                home.tarn().toString(),
                "cluster",
                "init",
                "--targets",
                "1",
                "--admin-url",
                control.admin().toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    TarnServer.putCredentials(command);
    try {
      int status = command.start().waitFor();
      if (status != 0) {
        throw new IOException("the cluster was not formed: " + Files.readString(log));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the cluster was formed", e);
    }
  }

  @Override
  public void close() {
    gateway.close();
    target.close();
    control.close();
  }
}
