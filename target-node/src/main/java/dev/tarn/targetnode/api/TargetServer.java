package dev.tarn.targetnode.api;

import dev.tarn.cluster.wire.HttpBinding;
import dev.tarn.targetnode.membership.CallJudge;
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
 * Serves a target over HTTP/1.1 to whoever has a capability for what is asked, gateways and clients
 * with a ticket: the server's side of {@link HttpBinding}.
 */
public final class TargetServer {
  /** As many as a gateway has requests in flight by default: clients are not bounded otherwise. */
  private static final int DIRECT_READS_MAX = 1024;

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
   * @param judge decides on every call
   */
  public static CompletionStage<TargetServer> start(
      Vertx vertx, TargetServerConfig config, TargetServices services, CallJudge judge) {
    AtomicInteger boundPort = new AtomicInteger();
    Semaphore places = new Semaphore(DIRECT_READS_MAX);
    DirectReadFigures directReads = new DirectReadFigures();
    Incoming incoming =
        (context, request) -> {
          if (IncomingQuestion.isOne(request)) {
            new IncomingQuestion(context, request, judge, services.administration()).start();
          } else if (IncomingRead.isOne(request)) {
            new IncomingRead(context, request, judge, services.objects(), places, directReads)
                .start();
          } else {
            new IncomingCall(context, request, judge, services.objects()).start();
          }
        };
    HttpServerOptions options = options(config);
    // A free port that all listeners of this server share, and those of no other one.
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

  /** What clients with tickets have read from it. */
  public DirectReadFigures directReads() {
    return directReads;
  }

  /** The port that it listens on. */
  public int port() {
    return port;
  }

  /**
   * Takes no more connections and calls, closes connections without a call, and lets calls in
   * flight end. The stage completes when they have, or when those that have not in this time are
   * cut off. A call that comes all the same, on a connection not closed yet, is answered with
   * {@link HttpBinding#DRAINING_STATUS}.
   */
  public CompletionStage<Void> drain(Duration max) {
    draining.set(true);
    return Future.join(listeners.stream().map(listener -> listener.shutdown(max)).toList())
        .<Void>mapEmpty()
        .toCompletionStage();
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

    /** Else its caller may send the next call on a connection that is about to be closed. */
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
