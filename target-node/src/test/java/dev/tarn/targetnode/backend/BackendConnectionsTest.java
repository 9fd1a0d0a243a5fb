package dev.tarn.targetnode.backend;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.targetnode.backend.Backend.BackendRead;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The connections that reads of a backend use. */
final class BackendConnectionsTest {
  private static final byte[] OBJECT = new byte[5000];

  private final Set<InetSocketAddress> connections = ConcurrentHashMap.newKeySet();
  private final HttpServer server;
  private final Backend backend;

  BackendConnectionsTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    URI endpoint = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    backend =
        S3Backend.open(
            new BackendSettings(Optional.of(endpoint), "us-east-1", "b", "", "a", "s"),
            BackendLimits.DEFAULT);
  }

  private void answer(HttpExchange exchange) throws IOException {
    connections.add(exchange.getRemoteAddress());
    exchange.getResponseHeaders().set("etag", "\"e\"");
    exchange.sendResponseHeaders(200, OBJECT.length);
    exchange.getResponseBody().write(OBJECT);
    exchange.close();
  }

  @AfterEach
  void stop() {
    backend.close();
    server.stop(0);
  }

  @Test
  void readsUpToTheLastByteShareOneConnection() throws IOException {
    for (int i = 0; i < 20; i++) {
      try (BackendRead read = read()) {
        assertThat(read.body().readNBytes(OBJECT.length)).isEqualTo(OBJECT);
      }
    }
    assertThat(connections).hasSize(1);
  }

  @Test
  void readThatIsGivenUpClosesItsConnection() throws IOException {
    try (BackendRead read = read()) {
      assertThat(read.body().readNBytes(100)).hasSize(100);
    }
    try (BackendRead read = read()) {
      assertThat(read.body().readAllBytes()).isEqualTo(OBJECT);
    }
    assertThat(connections).hasSize(2);
  }

  private BackendRead read() {
    return backend.read(ObjectKey.of("key"), Optional.empty(), 0, Long.MAX_VALUE, Optional.empty());
  }
}
