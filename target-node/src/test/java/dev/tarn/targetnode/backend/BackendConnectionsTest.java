package dev.tarn.targetnode.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.targetnode.backend.Backend.BackendRead;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The connections that reads of a backend use. */
final class BackendConnectionsTest {
  private static final byte[] OBJECT = new byte[5000];

  static {
    new Random(1).nextBytes(OBJECT);
  }

  private final Set<InetSocketAddress> connections = ConcurrentHashMap.newKeySet();
  private final List<String> ranges = new CopyOnWriteArrayList<>();
  private final HttpServer server;
  private final Backend backend;
  private volatile String etag = "\"e\"";
  private volatile int brokenOffAfter = Integer.MAX_VALUE;

  BackendConnectionsTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    backend = open(server.getAddress().getPort());
  }

  private void answer(HttpExchange exchange) throws IOException {
    connections.add(exchange.getRemoteAddress());
    String range = exchange.getRequestHeaders().getFirst("range");
    ranges.add(String.valueOf(range));
    int first = range == null ? 0 : Integer.parseInt(range.substring(6, range.indexOf('-')));
    exchange.getResponseHeaders().set("etag", etag);
    if (range != null) {
      exchange
          .getResponseHeaders()
          .set(
              "content-range", "bytes %d-%d/%d".formatted(first, OBJECT.length - 1, OBJECT.length));
    }
    exchange.sendResponseHeaders(range == null ? 200 : 206, OBJECT.length - first);
    int sent = Math.min(OBJECT.length - first, brokenOffAfter);
    exchange.getResponseBody().write(OBJECT, first, sent);
    exchange.getResponseBody().flush();
    exchange.close();
  }

  @Test
  void restOfABodyThatIsBrokenOffIsRequestedAgain() throws IOException {
    brokenOffAfter = 2000;
    try (BackendRead read = read()) {
      assertThat(read.body().readNBytes(OBJECT.length)).isEqualTo(OBJECT);
    }
    assertThat(ranges).containsExactly("null", "bytes=2000-4999", "bytes=4000-4999");
  }

  @Test
  void bodyThatIsBrokenOffAgainAndAgainFails() throws IOException {
    brokenOffAfter = 1000;
    try (BackendRead read = read()) {
      assertThat(read.body().readNBytes(3000)).isEqualTo(Arrays.copyOf(OBJECT, 3000));
      assertThatThrownBy(() -> read.body().readNBytes(2000)).isInstanceOf(IOException.class);
    }
    assertThat(ranges).hasSize(3);
  }

  @Test
  void bodyIsNotContinuedWithThatOfAnotherObject() throws IOException {
    brokenOffAfter = 1000;
    try (BackendRead read = read()) {
      assertThat(read.body().readNBytes(1000)).hasSize(1000);
      etag = "\"another\"";
      assertThatThrownBy(() -> read.body().readNBytes(4000)).isInstanceOf(IOException.class);
    }
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

  @Test
  void putOutsideAsciiWhoseBodyFailsClosesItsConnection() throws Exception {
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Backend there = open(listening.getLocalPort())) {
      CompletableFuture<Integer> end =
          CompletableFuture.supplyAsync(() -> readToEnd(listening), Thread::startVirtualThread);
      InputStream failing =
          new SequenceInputStream(
              new ByteArrayInputStream(new byte[100_000]), new FailingInputStream());

      assertThatThrownBy(() ->
              there.put(
                  ObjectKey.of("key"),
                  new ObjectAttributes(Map.of(), Map.of("fruit", "Äpfel"), Map.of()),
                  failing,
                  1 << 20,
                  Preconditions.NONE))
          .isInstanceOf(BackendException.class);

      assertThat(end.get(60, TimeUnit.SECONDS)).isEqualTo(-1);
    }
  }

  /** Reads what one connection brings until it is closed; answers nothing. */
  private static int readToEnd(ServerSocket listening) {
    try (Socket socket = listening.accept()) {
      int last = 0;
      while (last >= 0) {
        last = socket.getInputStream().read();
      }
      return last;
    } catch (IOException e) {
      return -1; // Reset: closed, too.
    }
  }

  private static final class FailingInputStream extends InputStream {
    @Override
    public int read() throws IOException {
      throw new IOException("the sender broke off");
    }

    @Override
    public int read(byte[] destination, int offset, int length) throws IOException {
      return read();
    }
  }

  private static Backend open(int port) {
    return S3Backend.open(
        new BackendSettings(
            Optional.of(URI.create("http://127.0.0.1:" + port)), "us-east-1", "b", "", "a", "s"),
        BackendLimits.DEFAULT);
  }

  private BackendRead read() {
    return backend.read(ObjectKey.of("key"), Optional.empty(), 0, Long.MAX_VALUE, Optional.empty());
  }
}
