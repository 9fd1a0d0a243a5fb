package dev.tarn.e2e.wire;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.target.memory.MemoryTarget;
import dev.tarn.targetnode.api.TargetServer;
import dev.tarn.targetnode.api.TargetServerConfig;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** A target in a process of its own, on a port that it keeps when it is started again. */
final class TargetProcess implements AutoCloseable {
  private final Process process;
  private final TargetAddress address;

  private TargetProcess(Process process, TargetAddress address) {
    this.process = process;
    this.address = address;
  }

  /** Starts one and waits until it serves; port 0 picks a free one. */
  static TargetProcess start(int port) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                TargetProcess.class.getName(),
                Integer.toString(port))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = requireNonNull(out.readLine(), "the target process ended before it served");
    return new TargetProcess(process, new TargetAddress("127.0.0.1", Integer.parseInt(line)));
  }

  TargetAddress address() {
    return address;
  }

  /** Kills it, as a crash would. */
  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** The process: serves a target in memory and says its port. */
  public static void main(String[] arguments) {
    TargetServer server =
        TargetServer.start(
                Vertx.vertx(),
                new TargetServerConfig(
                    "127.0.0.1", Integer.parseInt(arguments[0]), 1, Duration.ofMinutes(1)),
                new MemoryTarget(),
                RemoteTarget.CAPABILITIES,
                () -> 1)
            .toCompletableFuture()
            .join();
    System.out.println(server.port());
  }
}
