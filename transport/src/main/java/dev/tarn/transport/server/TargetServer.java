package dev.tarn.transport.server;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.wire.HttpBinding;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Serves a target over HTTP/1.1, as {@link HttpBinding} specifies. Gateways and targets need a
 * capability for each call; clients need a ticket.
 */
public final class TargetServer {
  /** Equals a gateway's default limit of requests in progress. Clients have no other limit here. */
  static final int DIRECT_READS_MAX = 1024;

  private static final AtomicInteger SERVERS = new AtomicInteger();

  private final Vertx vertx;
  private final String deploymentId;
  private final List<Listener> listeners;
  private final AtomicBoolean draining;
  private final DirectReadFigures directReads;
  private final int port;

  private TargetServer(
      Vertx vertx,
      String deploymentId,
      List<Listener> listeners,
      AtomicBoolean draining,
      DirectReadFigures directReads,
      int port) {
    this.vertx = vertx;
    this.deploymentId = deploymentId;
    this.listeners = listeners;
    this.draining = draining;
    this.directReads = directReads;
    this.port = port;
  }

  /**
   * Starts to listen.
   *
   * @param services what is served
   * @param capabilities verifies the capability of every call
   * @param admission decides whether a call with a valid capability is carried out
   */
  public static CompletionStage<TargetServer> start(
      Vertx vertx,
      TargetServerConfig config,
      TargetServices services,
      Capabilities capabilities,
      CallAdmission admission) {
    AtomicInteger boundPort = new AtomicInteger();
    Semaphore places = new Semaphore(DIRECT_READS_MAX);
    DirectReadFigures directReads = new DirectReadFigures();
    Incoming incoming =
        (context, request) -> {
          if (IncomingQuestion.isOne(request)) {
            new IncomingQuestion(context, request, capabilities, services.administration()).start();
          } else if (IncomingRead.isOne(request)) {
            new IncomingRead(
                    context,
                    request,
                    capabilities,
                    admission,
                    services.objects(),
                    places,
                    directReads)
                .start();
          } else {
            new IncomingCall(context, request, capabilities, admission, services.objects()).start();
          }
        };
    HttpServerOptions options = options(config);
    // A free port that all listeners of this server share with no other server.
    SocketAddress address =
        config.port() == 0
            ? SocketAddress.sharedRandomPort(SERVERS.incrementAndGet(), config.host())
            : SocketAddress.inetSocketAddress(config.port(), config.host());
    AtomicBoolean draining = new AtomicBoolean();
    List<Listener> listeners = new CopyOnWriteArrayList<>();
    return vertx
        .deployVerticle(
            () -> {
              Listener listener = new Listener(options, address, incoming, boundPort, draining);
              listeners.add(listener);
              return listener;
            },
            new DeploymentOptions().setInstances(config.eventLoops()))
        .map(id -> new TargetServer(vertx, id, listeners, draining, directReads, boundPort.get()))
        .toCompletionStage();
  }

  /** Counts of the direct reads. */
  public DirectReadFigures directReads() {
    return directReads;
  }

  /** The port that the server listens on. */
  public int port() {
    return port;
  }

  /**
   * Accepts no more connections, closes idle connections, and lets calls in progress end. After
   * {@code max}, the remaining calls are cut off. The stage completes when all calls have ended or
   * are cut off. A new call on an open connection is answered with {@link
   * HttpBinding#DRAINING_STATUS}.
   */
  public CompletionStage<Void> drain(Duration max) {
    draining.set(true);
    return Future.join(listeners.stream().map(listener -> listener.shutdown(max)).toList())
        .<Void>mapEmpty()
        .toCompletionStage();
  }

  /** Stops listening and closes every connection. */
  public CompletionStage<Void> close() {
    return vertx.undeploy(deploymentId).toCompletionStage();
  }

  private static HttpServerOptions options(TargetServerConfig config) {
    return new HttpServerOptions()
        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
        .setIdleTimeout(Math.toIntExact(config.idleTimeoutMax().toMillis()))
        .setMaxChunkSize(IncomingCall.CHUNK_BYTES_MAX)
        // Without this setting, bytes that a caller does not take wait in a queue that has no byte
        // limit.
        .setStrictThreadMode(true)
        .setCompressionSupported(false)
        .setHttp2ClearTextEnabled(false)
        .setTcpNoDelay(true);
  }

  /** Handles one request. */
  private interface Incoming {
    void handle(Context context, HttpServerRequest request);
  }

  /** Serves the connections of one event loop. */
  private static final class Listener extends VerticleBase {
    private final HttpServerOptions options;
    private final SocketAddress address;
    private final Incoming incoming;
    private final AtomicInteger boundPort;
    private final AtomicBoolean draining;
    private @Nullable HttpServer server;

    Listener(
        HttpServerOptions options,
        SocketAddress address,
        Incoming incoming,
        AtomicInteger boundPort,
        AtomicBoolean draining) {
      this.options = options;
      this.address = address;
      this.incoming = incoming;
      this.boundPort = boundPort;
      this.draining = draining;
    }

    @Override
    public Future<HttpServer> start() {
      HttpServer created = vertx.createHttpServer(options);
      server = created;
      return created
          .requestHandler(this::requested)
          .listen(address)
          .onSuccess(bound -> boundPort.set(bound.actualPort()));
    }

    private void requested(HttpServerRequest request) {
      if (draining.get()) {
        request
            .response()
            .setStatusCode(HttpBinding.DRAINING_STATUS)
            .putHeader("connection", "close")
            .end("This target is about to end.\n")
            .onComplete(ended -> request.connection().close());
        return;
      }
      request.response().headersEndHandler(ignored -> sayWhetherLast(request));
      incoming.handle(context, request);
    }

    /** Announces a close, so that the caller does not send its next call on this connection. */
    private void sayWhetherLast(HttpServerRequest request) {
      if (draining.get()) {
        request.response().putHeader("connection", "close");
      }
    }

    Future<Void> shutdown(Duration max) {
      HttpServer listening = server;
      return listening == null
          ? Future.succeededFuture()
          : listening.shutdown(max.toMillis(), TimeUnit.MILLISECONDS);
    }
  }
}
