package dev.tarn.standalone;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.gateway.GatewayConfig;
import dev.tarn.standalone.node.StartFailure;
import dev.tarn.targetnode.api.SettingsReceiver;
import dev.tarn.targetnode.api.TargetServer;
import dev.tarn.targetnode.api.TargetServerConfig;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.CompletionException;

/** Where gateways reach the target of this process. */
final class InternalListener implements AutoCloseable {
  /** Above a gateway's own, so that the side that calls is the side that lets go. */
  private static final Duration IDLE_MAX = Duration.ofMinutes(1);

  private final Vertx vertx;
  private final int port;

  private InternalListener(Vertx vertx, int port) {
    this.vertx = vertx;
    this.port = port;
  }

  static InternalListener start(
      GatewayConfig listen,
      ObjectTarget target,
      SettingsReceiver settings,
      Capabilities capabilities,
      long mapEpoch)
      throws StartFailure {
    Vertx vertx = Vertx.vertx();
    int loops = Math.min(64, Runtime.getRuntime().availableProcessors());
    TargetServerConfig config =
        new TargetServerConfig(listen.host(), listen.port(), loops, IDLE_MAX);
    try {
      TargetServer server =
          TargetServer.start(vertx, config, target, settings, capabilities, () -> mapEpoch)
              .toCompletableFuture()
              .join();
      return new InternalListener(vertx, server.port());
    } catch (CompletionException e) {
      vertx.close();
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new StartFailure(
          "internal listener cannot serve on "
              + listen.host()
              + ":"
              + listen.port()
              + ": "
              + cause.getMessage(),
          cause);
    }
  }

  int port() {
    return port;
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
