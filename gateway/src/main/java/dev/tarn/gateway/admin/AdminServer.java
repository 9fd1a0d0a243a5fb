package dev.tarn.gateway.admin;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.util.concurrent.TimeUnit;

/** The admin listener of a process. */
public final class AdminServer {
  private final HttpServer server;

  private AdminServer(HttpServer server) {
    this.server = server;
  }

  /** Starts to listen. The future fails if the address cannot be bound. */
  public static Future<AdminServer> start(Vertx vertx, AdminConfig config, AdminParts parts) {
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost(config.host())
            .setPort(config.port())
            .setHttp2ClearTextEnabled(false)
            .setIdleTimeout(Math.toIntExact(config.idleMsMax()))
            .setIdleTimeoutUnit(TimeUnit.MILLISECONDS);
    return vertx
        .createHttpServer(options)
        .connectionHandler(new ConnectionLimit(config.connectionsMax()))
        .requestHandler(new AdminRoutes(vertx, config, parts).router())
        .listen()
        .map(AdminServer::new);
  }

  /** The port that the server listens on. */
  public int port() {
    return server.actualPort();
  }
}
