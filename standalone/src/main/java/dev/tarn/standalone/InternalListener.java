package dev.tarn.standalone;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.gateway.GatewayConfig;
import dev.tarn.standalone.config.TarnConfig;
import dev.tarn.standalone.node.StartFailure;
import dev.tarn.transport.server.DirectReadFigures;
import dev.tarn.transport.server.TargetServer;
import dev.tarn.transport.server.TargetServerConfig;
import dev.tarn.transport.server.TargetServices;
import dev.tarn.transport.tls.MemberTls;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listener through which gateways reach the target of this process. */
final class InternalListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(InternalListener.class);

  /**
   * Added to the gateways' own limits: the gateway, not the target, closes an idle connection, or
   * one whose client is stalled.
   */
  private static final Duration LONGER_THAN_GATEWAYS = Duration.ofMinutes(1);

  private final Vertx vertx;
  private final TargetServer server;
  private final Duration drainMax;

  private InternalListener(Vertx vertx, TargetServer server, Duration drainMax) {
    this.vertx = vertx;
    this.server = server;
    this.drainMax = drainMax;
  }

  static InternalListener start(
      TarnConfig node, Optional<MemberTls> tls, TargetServices services, Capabilities capabilities)
      throws StartFailure {
    GatewayConfig listen = node.gateway();
    Vertx vertx = Vertx.vertx();
    int loops = Math.min(64, Runtime.getRuntime().availableProcessors());
    TargetServerConfig config =
        new TargetServerConfig(
            listen.host(),
            listen.port(),
            loops,
            idleMax(node),
            tls.map(own -> new TargetServerConfig.Tls(own, node.cluster().directReadPort())));
    try {
      TargetServer server = await(TargetServer.start(vertx, config, services, capabilities));
      Duration drainMax = Duration.ofMillis(listen.limits().drainMsMax());
      return new InternalListener(vertx, server, drainMax);
    } catch (CompletionException e) {
      vertx.close();
      Throwable cause = e.getCause() == null ? e : e.getCause();
      String where = "internal listener cannot serve on " + listen.host() + ":" + listen.port();
      throw new StartFailure(
          Listening.explain(where + ": " + cause.getMessage(), "--listen", cause), cause);
    }
  }

  /** How long a gateway's connection may be silent, for example because its client is slow. */
  static Duration idleMax(TarnConfig node) {
    Duration idle = RemoteTargets.limits(node).idleTimeoutMax();
    Duration stalled = Duration.ofMillis(node.gateway().limits().stalledMsMax());
    return (stalled.compareTo(idle) > 0 ? stalled : idle).plus(LONGER_THAN_GATEWAYS);
  }

  /** Figures of the reads by clients with tickets. */
  DirectReadFigures directReads() {
    return server.directReads();
  }

  int port() {
    return server.port();
  }

  /** The port for direct reads. */
  int readPort() {
    return server.readPort();
  }

  /**
   * Accepts no more calls, waits at most {@code drainMax} for calls in flight, cuts off the rest,
   * and closes everything.
   */
  @Override
  public void close() {
    long beganNanos = System.nanoTime();
    await(server.drain(drainMax));
    if (System.nanoTime() - beganNanos >= drainMax.toNanos()) {
      LOG.warn("calls had not ended after {} ms and were aborted", drainMax.toMillis());
    }
    await(vertx.close().toCompletionStage());
  }

  private static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
