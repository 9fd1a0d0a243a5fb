package dev.tarn.targetnode.api;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.wire.HttpBinding;
import dev.tarn.targetnode.membership.ClusterKnowledge;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Serves a target over HTTP/1.1 to whoever has a capability for what is asked: the server's side of
 * {@link HttpBinding}.
 */
public final class TargetServer {
  private static final AtomicInteger SERVERS = new AtomicInteger();

  private final Vertx vertx;
  private final String deploymentId;
  private final int port;

  private TargetServer(Vertx vertx, String deploymentId, int port) {
    this.vertx = vertx;
    this.deploymentId = deploymentId;
    this.port = port;
  }

  /** Starts to listen for calls alone, of a target that is told the epoch of the map. */
  public static CompletionStage<TargetServer> start(
      Vertx vertx,
      TargetServerConfig config,
      ObjectTarget target,
      Capabilities capabilities,
      LongSupplier mapEpoch) {
    return start(
        vertx,
        config,
        TargetServices.ofObjects(target),
        capabilities,
        ClusterKnowledge.ofEpoch(mapEpoch));
  }

  /**
   * Starts to listen.
   *
   * @param services what is served
   * @param capabilities checks every call
   * @param known what calls are judged by: one made under an older map than this target knows is
   *     refused as stale, one that needs newer knowledge waits until the target has asked for it
   */
  public static CompletionStage<TargetServer> start(
      Vertx vertx,
      TargetServerConfig config,
      TargetServices services,
      Capabilities capabilities,
      ClusterKnowledge known) {
    AtomicInteger boundPort = new AtomicInteger();
    CapabilityGate gate = new CapabilityGate(capabilities);
    KnowledgeGate knowledge = new KnowledgeGate(known);
    Incoming incoming =
        (context, request) -> {
          if (IncomingQuestion.isOne(request)) {
            new IncomingQuestion(context, request, capabilities, services.administration()).start();
          } else {
            new IncomingCall(context, request, gate, knowledge, services.objects()).start();
          }
        };
    HttpServerOptions options = options(config);
    // A free port that all listeners of this server share, and those of no other one.
    SocketAddress address =
        config.port() == 0
            ? SocketAddress.sharedRandomPort(SERVERS.incrementAndGet(), config.host())
            : SocketAddress.inetSocketAddress(config.port(), config.host());
    return vertx
        .deployVerticle(
            () -> new Listener(options, address, incoming, boundPort),
            new DeploymentOptions().setInstances(config.eventLoops()))
        .map(id -> new TargetServer(vertx, id, boundPort.get()))
        .toCompletionStage();
  }

  /** The port that it listens on. */
  public int port() {
    return port;
  }

  /** Stops to listen and closes every connection. */
  public CompletionStage<Void> close() {
    return vertx.undeploy(deploymentId).toCompletionStage();
  }

  private static HttpServerOptions options(TargetServerConfig config) {
    return new HttpServerOptions()
        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
        .setIdleTimeout(Math.toIntExact(config.idleTimeoutMax().toMillis()))
        .setMaxChunkSize(IncomingCall.CHUNK_BYTES_MAX)
        // Else what a caller does not take piles up in a queue of messages, which counts no bytes.
        .setStrictThreadMode(true)
        .setCompressionSupported(false)
        .setHttp2ClearTextEnabled(false)
        .setTcpNoDelay(true);
  }

  /** What is done with a request. */
  private interface Incoming {
    void handle(Context context, HttpServerRequest request);
  }

  /** One event loop's share of the connections. */
  private static final class Listener extends VerticleBase {
    private final HttpServerOptions options;
    private final SocketAddress address;
    private final Incoming incoming;
    private final AtomicInteger boundPort;

    Listener(
        HttpServerOptions options,
        SocketAddress address,
        Incoming incoming,
        AtomicInteger boundPort) {
      this.options = options;
      this.address = address;
      this.incoming = incoming;
      this.boundPort = boundPort;
    }

    @Override
    public Future<HttpServer> start() {
      return vertx
          .createHttpServer(options)
          .requestHandler(request -> incoming.handle(context, request))
          .listen(address)
          .onSuccess(server -> boundPort.set(server.actualPort()));
    }
  }
}
