package dev.tarn.standalone;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import dev.tarn.cluster.control.remote.ControlBinding;
import dev.tarn.cluster.control.remote.ControlService;
import dev.tarn.cluster.control.remote.ControlTransport.Answer;
import dev.tarn.gateway.GatewayConfig.TlsFiles;
import dev.tarn.standalone.config.ControlConfig;
import dev.tarn.standalone.node.StartFailure;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** The HTTP server through which members of the cluster reach the control plane of this process. */
final class ControlServer implements AutoCloseable {
  /** Longer than a member keeps an idle connection. */
  private static final int IDLE_SECONDS_MAX = 120;

  private static final int CONNECTIONS_MAX = 4_096;
  private static final int TOO_LARGE = 413;
  private static final int NOT_ALLOWED = 405;

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final ControlService service;
  private final HttpServer server;
  private int connections;

  private ControlServer(ControlConfig config, ControlService service) {
    this.service = requireNonNull(service, "service is null");
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost(config.host())
            .setPort(config.port())
            .setIdleTimeoutUnit(TimeUnit.SECONDS)
            .setIdleTimeout(IDLE_SECONDS_MAX)
            .setHttp2ClearTextEnabled(false)
            .setUseAlpn(false);
    config.tls().ifPresent(tls -> secure(options, tls));
    this.server =
        vertx
            .createHttpServer(options)
            .connectionHandler(connection -> {
              connections++;
              connection.closeHandler(ignored -> connections--);
              if (connections > CONNECTIONS_MAX) {
                connection.close();
              }
            })
            .requestHandler(router());
  }

  private static void secure(HttpServerOptions options, TlsFiles tls) {
    options
        .setSsl(true)
        .setKeyCertOptions(
            new PemKeyCertOptions()
                .addCertPath(tls.certificateChain().toString())
                .addKeyPath(tls.privateKey().toString()));
  }

  /** Starts to listen. */
  static ControlServer start(ControlConfig config, ControlService service) throws StartFailure {
    ControlServer control = new ControlServer(config, service);
    try {
      control.server.listen().toCompletionStage().toCompletableFuture().join();
      return control;
    } catch (CompletionException e) {
      control.close();
      Throwable cause = e.getCause() == null ? e : e.getCause();
      String where = "control listener cannot serve on " + config.host() + ":" + config.port();
      throw new StartFailure(
          Listening.explain(where + ": " + cause.getMessage(), "--listen", cause), cause);
    }
  }

  int port() {
    return server.actualPort();
  }

  private Router router() {
    Router router = Router.router(vertx);
    router.errorHandler(
        TOO_LARGE,
        context ->
            context.response().putHeader("connection", "close").setStatusCode(TOO_LARGE).end());
    router.post(ControlBinding.STATE_PATH).handler(body(ControlBinding.QUESTION_BYTES_MAX));
    router.post().handler(body(ControlBinding.REQUEST_BYTES_MAX)).handler(this::answer);
    router
        .route()
        .handler(context ->
            context
                .response()
                .setStatusCode(NOT_ALLOWED)
                .end("The control node accepts POST requests of members only.\n"));
    return router;
  }

  /** Collects a body of at most this many bytes, unless an earlier handler has collected it. */
  private static BodyHandler body(int bytesMax) {
    return BodyHandler.create(false).setBodyLimit(bytesMax);
  }

  private void answer(RoutingContext context) {
    Context loop = vertx.getOrCreateContext();
    byte[] body = Optional.ofNullable(context.body().buffer()).orElseGet(Buffer::buffer).getBytes();
    service
        .answer(requireNonNullElse(context.request().path(), ""), body)
        .thenAccept(answer -> loop.runOnContext(ignored -> send(context.response(), answer)));
  }

  private static void send(HttpServerResponse response, Answer answer) {
    if (!response.closed()) {
      response
          .setStatusCode(answer.status())
          .putHeader("content-type", "application/octet-stream")
          .end(Buffer.buffer(answer.bytes()));
    }
  }

  @Override
  public void close() {
    service.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
