package dev.tarn.gateway.admin;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpConnection;
import java.util.concurrent.atomic.AtomicInteger;

/** Closes connections beyond a limit. */
final class ConnectionLimit implements Handler<HttpConnection> {
  private final int connectionsMax;
  private final AtomicInteger open = new AtomicInteger();

  ConnectionLimit(int connectionsMax) {
    this.connectionsMax = connectionsMax;
  }

  @Override
  public void handle(HttpConnection connection) {
    boolean tooMany = open.incrementAndGet() > connectionsMax;
    connection.closeHandler(_ -> open.decrementAndGet());
    if (tooMany) {
      connection.close();
    }
  }
}
