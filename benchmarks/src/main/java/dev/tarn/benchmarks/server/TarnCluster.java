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
 * A cluster of gateways, targets and one control node, each a process of its own. The gateways call
 * the targets over HTTP. The control node is idle once the cluster is formed.
 */
public record TarnCluster(TarnServer control, List<TarnServer> targets, List<TarnServer> gateways)
    implements AutoCloseable {
  private static final String SECRET = "a secret of benchmarks and of no value";

  public TarnCluster {
    targets = List.copyOf(targets);
    gateways = List.copyOf(gateways);
  }

  /** Starts a cluster with one gateway and one target. */
  public static TarnCluster start(TarnHome home, Path scratch) throws IOException {
    return start(home, scratch, 1, 1);
  }

  /**
   * Starts the processes.
   *
   * @param scratch a folder for the secret, data and logs alone
   * @param targetSettings of each target, as for {@code --set}
   */
  public static TarnCluster start(
      TarnHome home, Path scratch, int gatewayCount, int targetCount, String... targetSettings)
      throws IOException {
    Path secret = Files.writeString(scratch.resolve("secret"), SECRET);
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    String shared = "cluster.secret-file=" + secret;
    Deque<TarnServer> started = new ArrayDeque<>();
    try {
      Path controlFolder = Files.createDirectory(scratch.resolve("control"));
      started.push(start("control", home, controlFolder, shared));
      TarnServer control = started.getFirst();
      String follow =
          "cluster.control=http://"
              + control.address().getAddress().getHostAddress()
              + ":"
              + control.address().getPort();
      List<TarnServer> targets = new ArrayList<>();
      for (int number = 1; number <= targetCount; number++) {
        String id = "cluster.target-id=t" + number;
        Path folder = Files.createDirectory(scratch.resolve("target-" + number));
        List<String> settings = new ArrayList<>(List.of(shared, follow, id));
        settings.addAll(List.of(targetSettings));
        targets.add(start("target", home, folder, settings.toArray(String[]::new)));
        started.push(targets.getLast());
      }
      form(home, scratch, control, targetCount);
      List<TarnServer> gateways = new ArrayList<>();
      for (int number = 1; number <= gatewayCount; number++) {
        Path folder = Files.createDirectory(scratch.resolve("gateway-" + number));
        gateways.add(start("gateway", home, folder, shared, follow));
        started.push(gateways.getLast());
      }
      return new TarnCluster(control, targets, gateways);
    } catch (IOException e) {
      started.forEach(TarnServer::close);
      throw e;
    }
  }

  private static TarnServer start(String role, TarnHome home, Path folder, String... settings)
      throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("--role", role, "--data", folder.resolve("data").toString()));
    for (String setting : settings) {
      arguments.addAll(List.of("--set", setting));
    }
    return TarnServer.start(home, folder, arguments);
  }

  /** The first gateway. */
  public TarnServer gateway() {
    return gateways.getFirst();
  }

  /** The first target. */
  public TarnServer target() {
    return targets.getFirst();
  }

  /** Puts the targets into the cluster map. */
  private static void form(TarnHome home, Path scratch, TarnServer control, int targetCount)
      throws IOException {
    Path log = scratch.resolve("formation.log");
    ProcessBuilder command =
        new ProcessBuilder(
                home.tarn().toString(),
                "cluster",
                "init",
                "--targets",
                Integer.toString(targetCount),
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
    gateways.forEach(TarnServer::close);
    targets.forEach(TarnServer::close);
    control.close();
  }
}
