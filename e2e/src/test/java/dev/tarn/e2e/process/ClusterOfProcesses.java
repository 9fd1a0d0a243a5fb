package dev.tarn.e2e.process;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A gateway and its targets, each a process of its own, with one configuration file. */
public final class ClusterOfProcesses implements AutoCloseable {
  /** What gateway and targets share. */
  public static final byte[] SECRET =
      "a secret of the tests, long enough".getBytes(StandardCharsets.US_ASCII);

  private final Path folder;
  private final Path config;
  private final Map<String, String> addresses = new TreeMap<>();
  private final Map<String, TarnProcess> targets = new TreeMap<>();
  private final TarnProcess gateway;

  /** Starts targets of these ids and weights, and a gateway. */
  public ClusterOfProcesses(Path folder, Map<String, Integer> weights) throws IOException {
    this.folder = folder;
    Path secret = folder.resolve("secret");
    Files.write(secret, SECRET);
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    StringBuilder yaml = new StringBuilder("cluster:\n");
    yaml.append("  secret-file: ").append(secret).append("\n  targets:\n");
    List<Integer> ports = freePorts(weights.size());
    weights.forEach((id, weight) -> {
      String address = "127.0.0.1:" + ports.get(addresses.size());
      addresses.put(id, address);
      yaml.append("    - {id: %s, address: \"%s\", weight: %d}\n".formatted(id, address, weight));
    });
    this.config = Files.writeString(folder.resolve("cluster.yaml"), yaml);
    for (String id : weights.keySet()) {
      startTarget(id);
    }
    this.gateway = start("gateway", "gateway", "127.0.0.1:0");
  }

  /** Starts a target, or starts it again where it was. */
  public void startTarget(String id) throws IOException {
    targets.put(id, start("target", id, address(id), "--set", "cluster.target-id=" + id));
  }

  /** HOST:PORT of a target's internal listener. */
  public String address(String id) {
    return requireNonNull(addresses.get(id), "no such target");
  }

  /** A target. */
  public TarnProcess target(String id) {
    return requireNonNull(targets.get(id), "no such target");
  }

  /** The gateway. */
  public TarnProcess gateway() {
    return gateway;
  }

  private TarnProcess start(String role, String name, String listen, String... more)
      throws IOException {
    Path home = Files.createDirectories(folder.resolve(name));
    List<String> options = new ArrayList<>(List.of("--role", role, "--config", config.toString()));
    options.addAll(List.of(more));
    return TarnProcess.startAt(listen, home, options.toArray(String[]::new));
  }

  /** All at once, so that they differ. */
  private static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
    }
    List<Integer> ports = sockets.stream().map(ServerSocket::getLocalPort).toList();
    for (ServerSocket socket : sockets) {
      socket.close();
    }
    return ports;
  }

  @Override
  public void close() {
    gateway.close();
    targets.values().forEach(TarnProcess::close);
  }
}
