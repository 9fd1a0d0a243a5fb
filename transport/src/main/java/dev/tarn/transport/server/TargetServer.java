package dev.tarn.transport.server;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.wire.HttpBinding;
import dev.tarn.transport.server.TargetServerConfig.Tls;
import dev.tarn.transport.tls.MemberTls;
import dev.tarn.transport.tls.PortGuard;
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
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Serves a target over HTTP/1.1, as {@link HttpBinding} specifies. Gateways and targets need a
 * capability for each call; clients need a ticket. With TLS, members show certificates on the
 * internal port, and direct reads have a port of their own, which serves nothing else.
 */
public final class TargetServer {
  /** Clients that read directly have no other limit here. */
  static final int DIRECT_READS_MAX = 1024;

  private static final AtomicInteger SERVERS = new AtomicInteger();

  private final Vertx vertx;
  private final TargetServerConfig config;
  private final SocketAddress address;
  private final SocketAddress readAddress;
  private final TargetServices services;
  private final Capabilities capabilities;
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private final Semaphore directReadPlaces = new Semaphore(DIRECT_READS_MAX);
  private final DirectReadFigures directReads = new DirectReadFigures();
  private volatile boolean draining;
  private volatile String deploymentId = "";
  private volatile int port;
  private volatile int readPort;

  private TargetServer(
      Vertx vertx, TargetServerConfig config, TargetServices services, Capabilities capabilities) {
    this.vertx = vertx;
    this.config = config;
    this.address = address(config.host(), config.port());
    this.readAddress = address(config.host(), config.tls().map(Tls::readPort).orElse(0));
    this.services = services;
    this.capabilities = capabilities;
  }

  private static SocketAddress address(String host, int port) {
    // A free port that all listeners of this server share with no other server.
    return port == 0
        ? SocketAddress.sharedRandomPort(SERVERS.incrementAndGet(), host)
        : SocketAddress.inetSocketAddress(port, host);
  }

  /**
   * Starts to listen.
   *
   * @param services what is served
   * @param capabilities verifies the capability of every call
   */
  public static CompletionStage<TargetServer> start(
      Vertx vertx, TargetServerConfig config, TargetServices services, Capabilities capabilities) {
    TargetServer server = new TargetServer(vertx, config, services, capabilities);
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

  /** The internal port that the server listens on. */
  public int port() {
    return port;
  }

  /** The port for direct reads; the internal port if there is no TLS. */
  public int readPort() {
    return config.tls().isPresent() ? readPort : port;
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
    private final List<HttpServer> servers = new CopyOnWriteArrayList<>();

    @Override
    public Future<?> start() {
      Optional<Tls> tls = config.tls();
      HttpServerOptions options = options(config);
      if (tls.isEmpty()) {
        return listen(options, address, this::serve).onSuccess(bound -> port = bound);
      }
      MemberTls member = tls.orElseThrow().member();
      return listen(member.mutual(options), address, this::serveMember)
          .onSuccess(bound -> port = bound)
          .compose(
              ignored -> listen(member.serverOnly(options(config)), readAddress, this::serveReader))
          .onSuccess(bound -> readPort = bound);
    }

    private Future<Integer> listen(
        HttpServerOptions options, SocketAddress where, Consumer<HttpServerRequest> serve) {
      HttpServer created = vertx.createHttpServer(options);
      servers.add(created);
      if (!options.isSsl()) {
        created.connectionHandler(PortGuard::guardPlain);
      }
      return created
          .requestHandler(request -> requested(request, serve))
          .listen(where)
          .map(HttpServer::actualPort);
    }

    private void requested(HttpServerRequest request, Consumer<HttpServerRequest> serve) {
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
      serve.accept(request);
    }

    private void serve(HttpServerRequest request) {
      if (isRead(request)) {
        read(request);
      } else {
        serveMember(request);
      }
    }

    private void serveReader(HttpServerRequest request) {
      if (isRead(request)) {
        read(request);
      } else {
        notFound(request, "direct reads go to " + HttpBinding.READ_PATH);
      }
    }

    private void serveMember(HttpServerRequest request) {
      String path = String.valueOf(request.path());
      if (path.equals(HttpBinding.CALL_PATH) && HttpMethod.POST.equals(request.method())) {
        new IncomingCall(context, request, capabilities, services.calls()).start();
      } else if (IncomingReportCall.PATHS.contains(path)) {
        new IncomingReportCall(context, request, capabilities, services.administration()).start();
      } else if (path.equals(HttpBinding.PROBE_PATH) && HttpMethod.GET.equals(request.method())) {
        request.response().setStatusCode(HttpBinding.PROBE_STATUS).end();
      } else {
        notFound(request, "calls go to " + HttpBinding.CALL_PATH);
      }
    }

    private static boolean isRead(HttpServerRequest request) {
      return HttpBinding.READ_PATH.equals(request.path())
          && HttpMethod.GET.equals(request.method());
    }

    private void read(HttpServerRequest request) {
      new IncomingRead(
              context, request, capabilities, services.calls(), directReadPlaces, directReads)
          .start();
    }

    private static void notFound(HttpServerRequest request, String advice) {
      request.response().setStatusCode(404).end("Path not found: " + advice + ".\n");
    }

    /** Announces a close, so that the caller does not send its next call on this connection. */
    private void sayWhetherLast(HttpServerRequest request) {
      if (draining) {
        request.response().putHeader("connection", "close");
      }
    }

    Future<Void> shutdown(Duration max) {
      return Future.join(
              servers.stream()
                  .map(server -> server.shutdown(max.toMillis(), TimeUnit.MILLISECONDS))
                  .toList())
          .mapEmpty();
    }
  }
}
