package dev.tarn.standalone;

import static java.util.Objects.requireNonNull;

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
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Where the members of the cluster ask the control plane of this process. */
final class ControlServer implements AutoCloseable {
  /** Longer than a member keeps a connection that it does not use. */
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
            .requestHandler(this::handle);
  }

  private static void secure(HttpServerOptions options, TlsFiles tls) {
    options
        .setSsl(true)
        .setKeyCertOptions(
            new PemKeyCertOptions()
                .addCertPath(tls.certificateChain().toString())
                .addKeyPath(tls.privateKey().toString()));
  }

  /** Listens. */
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

  private void handle(HttpServerRequest request) {
    if (!HttpMethod.POST.equals(request.method())) {
      request.response().setStatusCode(NOT_ALLOWED).end("members of the cluster post here\n");
      return;
    }
    int bytesMax =
        ControlBinding.STATE_PATH.equals(request.path())
            ? ControlBinding.QUESTION_BYTES_MAX
            : ControlBinding.REQUEST_BYTES_MAX;
    Buffer body = Buffer.buffer();
    request.handler(chunk -> {
      if (body.length() + chunk.length() <= bytesMax) {
        body.appendBuffer(chunk);
      } else if (!request.response().ended()) {
        request.response().putHeader("connection", "close").setStatusCode(TOO_LARGE).end();
      }
    });
    request.endHandler(ended -> {
      if (!request.response().ended()) {
        answer(request, body);
      }
    });
  }

  private void answer(HttpServerRequest request, Buffer body) {
    Context context = vertx.getOrCreateContext();
    String path = request.path();
    service
        .answer(path == null ? "" : path, body.getBytes())
        .thenAccept(answer -> context.runOnContext(ignored -> send(request, answer)));
  }

  private static void send(HttpServerRequest request, Answer answer) {
    if (!request.response().closed()) {
      request
          .response()
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
