package dev.tarn.client.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Direct reads of a client whose encrypted requests go through a proxy. Its endpoint is http. */
@Timeout(60)
class ProxiedReadsTest {
  private static final byte[] OBJECT = new byte[1 << 20];
  private static final String PROXY = "https.proxyHost";

  private final List<String> served = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private String targetScheme = "http";

  @BeforeEach
  void start() throws IOException {
    System.setProperty(PROXY, "proxy.invalid");
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::serve);
    server.start();
  }

  @AfterEach
  void stop() {
    System.clearProperty(PROXY);
    server.stop(0);
  }

  /** Answers as a gateway, and as a target at the path of direct reads. */
  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean atTarget = exchange.getRequestURI().getPath().startsWith("/tarn/");
      boolean asks = exchange.getRequestHeaders().containsKey("x-tarn-direct-read");
      served.add(atTarget ? "target" : asks ? "ticket" : "gateway");
      if (asks) {
        exchange
            .getResponseHeaders()
            .set(
                "Location",
                targetScheme + "://127.0.0.1:" + server.getAddress().getPort() + "/tarn/v1/object");
        exchange.getResponseHeaders().set("tarn-read-ticket", "ticket");
        exchange.getResponseHeaders().set("tarn-read-ticket-seconds", "300");
        exchange.sendResponseHeaders(307, -1);
        return;
      }
      exchange.getResponseHeaders().set("ETag", "\"1\"");
      exchange
          .getResponseHeaders()
          .set("Content-Range", "bytes 0-%d/%d".formatted(OBJECT.length - 1, OBJECT.length));
      if (atTarget) {
        exchange.getResponseHeaders().set("tarn-read-answer", "1");
      }
      exchange.sendResponseHeaders(206, OBJECT.length);
      exchange.getResponseBody().write(OBJECT);
    }
  }

  private void read() throws IOException {
    StorageOptions options =
        StorageOptions.builder()
            .endpoint(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
            .region("us-east-1")
            .credentials(AccessKeys.of("test-key", "test-secret"))
            .retries(RetryPolicy.NONE)
            .build();
    try (Storage storage = Storage.open(options);
        ObjectStream stream =
            storage.open(StorageUrl.parse("s3://data/a.tar"), 0, OBJECT.length, null)) {
      assertThat(stream.readAllBytes()).hasSize(OBJECT.length);
    }
  }

  @Test
  void targetInTheClearIsReadFrom() throws IOException {
    read();
    assertThat(served).containsExactly("ticket", "target");
  }

  @Test
  void targetWithTlsIsReadThroughTheGateway() throws IOException {
    targetScheme = "https";
    read();
    assertThat(served).containsExactly("ticket", "gateway");
  }
}
