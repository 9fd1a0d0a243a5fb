package dev.tarn.transport.server;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.codec.VersionRange;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.wire.HttpBinding;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
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
  private final HttpServerOptions options;
  private final SocketAddress address;
  private final VersionRange spoken;
  private final TargetServices services;
  private final Capabilities capabilities;
  private final CallAdmission admission;
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private final Semaphore directReadPlaces = new Semaphore(DIRECT_READS_MAX);
  private final DirectReadFigures directReads = new DirectReadFigures();
  private volatile boolean draining;
  private volatile String deploymentId = "";
  private volatile int port;

  private TargetServer(
      Vertx vertx,
      TargetServerConfig config,
      TargetServices services,
      Capabilities capabilities,
      CallAdmission admission) {
    this.vertx = vertx;
    this.options = options(config);
    // A free port that all listeners of this server share with no other server.
    this.address =
        config.port() == 0
            ? SocketAddress.sharedRandomPort(SERVERS.incrementAndGet(), config.host())
            : SocketAddress.inetSocketAddress(config.port(), config.host());
    this.spoken = config.versions();
    this.services = services;
    this.capabilities = capabilities;
    this.admission = admission;
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
    TargetServer server = new TargetServer(vertx, config, services, capabilities, admission);
    return vertx
        .deployVerticle(
            server::newListener, new DeploymentOptions().setInstances(config.eventLoops()))
        .map(id -> {
          server.deploymentId = id;
          return server;
        })
        .toCompletionStage();
  }

  private Listener newListener() {
    Listener listener = new Listener();
    listeners.add(listener);
    return listener;
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
    draining = true;
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

  /** Serves the connections of one event loop. */
  private final class Listener extends VerticleBase {
    private @Nullable HttpServer server;

    @Override
    public Future<HttpServer> start() {
      HttpServer created = vertx.createHttpServer(options);
      server = created;
      return created
          .requestHandler(this::requested)
          .listen(address)
          .onSuccess(bound -> port = bound.actualPort());
    }

    private void requested(HttpServerRequest request) {
      if (draining) {
        request
            .response()
            .setStatusCode(HttpBinding.DRAINING_STATUS)
            .putHeader("connection", "close")
            .end("Target is shutting down; retry later.\n")
            .onComplete(ended -> request.connection().close());
        return;
      }
      request.response().headersEndHandler(ignored -> sayWhetherLast(request));
      serve(request);
    }

    private void serve(HttpServerRequest request) {
      ObjectTarget objects = services.objects();
      String path = String.valueOf(request.path());
      if (path.equals(HttpBinding.CALL_PATH) && HttpMethod.POST.equals(request.method())) {
        new IncomingCall(context, request, capabilities, admission, objects, spoken).start();
      } else if (path.equals(HttpBinding.READ_PATH) && HttpMethod.GET.equals(request.method())) {
        new IncomingRead(
                context,
                request,
                capabilities,
                admission,
                objects,
                spoken,
                directReadPlaces,
                directReads)
            .start();
      } else if (path.equals(HttpBinding.REPORT_PATH) || path.equals(HttpBinding.SCRUB_PATH)) {
        new IncomingReportCall(context, request, capabilities, services.administration(), spoken)
            .start();
      } else if (path.equals(HttpBinding.PROBE_PATH) && HttpMethod.GET.equals(request.method())) {
        request.response().setStatusCode(HttpBinding.PROBE_STATUS).end();
      } else {
        request
            .response()
            .setStatusCode(404)
            .end("Path not found: calls go to " + HttpBinding.CALL_PATH + ".\n");
      }
    }

    /** Announces a close, so that the caller does not send its next call on this connection. */
    private void sayWhetherLast(HttpServerRequest request) {
      if (draining) {
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
