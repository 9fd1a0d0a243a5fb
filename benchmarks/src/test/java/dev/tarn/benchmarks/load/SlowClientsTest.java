package dev.tarn.benchmarks.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SlowClientsTest {
  private static final int CLIENTS = 6;
  private static final int OF_EACH_KIND = CLIENTS / 3;
  private static final int LARGE_BYTES = 16 << 20;
  private static final Duration PERIOD = Duration.ofMillis(10);
  private static final String SERVED =
      "HTTP/1.1 200 OK\r\nContent-Length: " + LARGE_BYTES + "\r\n\r\n";

  private final CountDownLatch reached = new CountDownLatch(CLIENTS);
  private final AtomicInteger wholeAnswers = new AtomicInteger();
  private ServerSocket server;

  /** What the server does with a connection until the test can go on. */
  private interface Behaviour {
    void serve(Socket connection) throws IOException;
  }

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, CLIENTS, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void closeServer() throws IOException {
    server.close();
  }

  @Test
  void clientsSendOrReadSlowlyWhileTheyAreServed() throws Exception {
    Map<String, Integer> ended =
        ended(connection -> {
          InputStream input = connection.getInputStream();
          String start = new String(input.readNBytes(8), ISO_8859_1);
          if (start.startsWith("PUT")) {
            skipHead(input);
            input.skipNBytes(5);
          } else if (start.equals("GET /key")) {
            skipHead(input);
            connection.getOutputStream().write(SERVED.getBytes(ISO_8859_1));
            Thread.ofVirtual().start(() -> writeLargeBody(connection));
          }
        });
    assertThat(ended).isEmpty();
    assertThat(wholeAnswers).hasValue(0);
  }

  @Test
  void refusedClientsAreCountedByKindAndStatus() throws Exception {
    Map<String, Integer> ended =
        ended(connection -> {
          connection.getOutputStream().write("HTTP/1.1 503 No\r\n\r\n".getBytes(ISO_8859_1));
          // The client closes its connection once it has read the status.
          connection.getInputStream().transferTo(OutputStream.nullOutputStream());
        });
    assertThat(ended)
        .isEqualTo(
            Map.of(
                "headers refused with 503", OF_EACH_KIND,
                "put refused with 503", OF_EACH_KIND,
                "get refused with 503", OF_EACH_KIND));
  }

  @Test
  void closedConnectionsAreCountedAsCut() throws Exception {
    assertThat(ended(Socket::close))
        .isEqualTo(
            Map.of("headers cut", OF_EACH_KIND, "put cut", OF_EACH_KIND, "get cut", OF_EACH_KIND));
  }

  @Test
  void resetBehindBytesThatTheReaderHasNotReadIsFound() throws Exception {
    Map<String, Integer> ended =
        ended(connection -> {
          InputStream input = connection.getInputStream();
          if (new String(input.readNBytes(8), ISO_8859_1).equals("GET /key")) {
            skipHead(input);
            connection.getOutputStream().write(SERVED.getBytes(ISO_8859_1));
            connection.getOutputStream().write(new byte[2000]);
            connection.setSoLinger(true, 0);
            connection.close();
          }
        });
    assertThat(ended).isEqualTo(Map.of("get cut", OF_EACH_KIND));
  }

  @Test
  void clientWithoutConnectionEndsTheLoad() throws IOException {
    server.close();
    assertThatThrownBy(this::open)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("slow client 1 of 6 has no connection to ")
        .hasMessageContaining("ulimit -n");
  }

  private Map<String, Integer> ended(Behaviour behaviour) throws Exception {
    Thread.ofVirtual().start(() -> accept(behaviour));
    try (SlowClients clients = open()) {
      reached.await();
      return clients.ended();
    }
  }

  private SlowClients open() throws IOException {
    InetSocketAddress address =
        new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
    Requests requests = Requests.unsigned(address);
    Expectation any = Expectation.status(200);
    ByteBuffer body = ByteBuffer.allocateDirect(LARGE_BYTES);
    return SlowClients.open(
        address,
        CLIENTS,
        requests.get("/key", any),
        requests.put("/key", body, PayloadHash.UNSIGNED, any),
        PERIOD);
  }

  private void accept(Behaviour behaviour) {
    try {
      while (true) {
        Socket connection = server.accept();
        Thread.ofVirtual().start(() -> serve(connection, behaviour));
      }
    } catch (IOException e) {
      // Closed: the test is over.
    }
  }

  private void serve(Socket connection, Behaviour behaviour) {
    try {
      behaviour.serve(connection);
    } catch (IOException e) {
      // The client closed the connection, as it may.
    }
    reached.countDown();
  }

  private void writeLargeBody(Socket connection) {
    try {
      connection.getOutputStream().write(new byte[LARGE_BYTES]);
      wholeAnswers.incrementAndGet();
    } catch (IOException e) {
      // The client closed the connection at the end of the test.
    }
  }

  private static void skipHead(InputStream input) throws IOException {
    int lineBytes = 0;
    int next = input.read();
    while (next >= 0) {
      if (next == '\n' && lineBytes == 0) {
        return;
      }
      lineBytes = next == '\n' ? 0 : next == '\r' ? lineBytes : lineBytes + 1;
      next = input.read();
    }
  }
}
