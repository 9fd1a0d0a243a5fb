package dev.tarn.standalone;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.gateway.GatewayConfig;
import dev.tarn.standalone.config.TarnConfig;
import dev.tarn.standalone.node.StartFailure;
import dev.tarn.targetnode.api.TargetServer;
import dev.tarn.targetnode.api.TargetServerConfig;
import dev.tarn.targetnode.api.TargetServices;
import dev.tarn.targetnode.membership.ClusterKnowledge;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.CompletionException;

/** Where gateways reach the target of this process. */
final class InternalListener implements AutoCloseable {
  /** Above a gateway's own bound, so that the side that calls is the side that lets go. */
  private static final Duration LONGER_THAN_GATEWAYS = Duration.ofMinutes(1);

  private final Vertx vertx;
  private final int port;

  private InternalListener(Vertx vertx, int port) {
    this.vertx = vertx;
    this.port = port;
  }

  static InternalListener start(
      TarnConfig node, TargetServices services, Capabilities capabilities, ClusterKnowledge known)
      throws StartFailure {
    GatewayConfig listen = node.gateway();
    Vertx vertx = Vertx.vertx();
    int loops = Math.min(64, Runtime.getRuntime().availableProcessors());
    Duration idleMax = RemoteTargets.limits(node).idleTimeoutMax().plus(LONGER_THAN_GATEWAYS);
    TargetServerConfig config =
        new TargetServerConfig(listen.host(), listen.port(), loops, idleMax);
    try {
      TargetServer server =
          TargetServer.start(vertx, config, services, capabilities, known)
              .toCompletableFuture()
              .join();
      return new InternalListener(vertx, server.port());
    } catch (CompletionException e) {
      vertx.close();
      Throwable cause = e.getCause() == null ? e : e.getCause();
      String where = "internal listener cannot serve on " + listen.host() + ":" + listen.port();
      throw new StartFailure(
          Listening.explain(where + ": " + cause.getMessage(), "--listen", cause), cause);
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
