package dev.tarn.client.storage;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.StorageException.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class KeptConnectionsTest {
  private static final String ANSWER =
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"1\"\r\n%s\r\nhello";

  /** What each connection was asked for, in the order of the connections. */
  private final List<List<String>> connections = new CopyOnWriteArrayList<>();

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private ServerSocket server;
  private volatile int answersMax = Integer.MAX_VALUE;
  private volatile String header = "";
  private volatile String answer = ANSWER;

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    threads.shutdownNow();
  }

  private void accept() {
    while (true) {
      try {
        Socket socket = server.accept();
        List<String> asked = new CopyOnWriteArrayList<>();
        connections.add(asked);
        threads.execute(() -> serve(socket, asked));
      } catch (IOException e) {
        return;
      }
    }
  }

  /** Answers as often as it may, then ends the connection without a word. */
  private void serve(Socket socket, List<String> asked) {
    try (socket;
        BufferedReader in =
            new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII))) {
      for (int answers = 0; answers < answersMax; answers++) {
        String request = in.readLine();
        if (request == null) {
          return;
        }
        for (String line = in.readLine(); line != null && !line.isEmpty(); ) {
          line = in.readLine();
        }
        asked.add(request);
        String text = answer.formatted(header);
        int head = text.indexOf("\r\n\r\n") + 4;
        String sent = request.startsWith("HEAD") ? text.substring(0, head) : text;
        socket.getOutputStream().write(sent.getBytes(US_ASCII));
      }
    } catch (IOException e) {
      asked.add(String.valueOf(e));
    }
  }

  private StorageUrl url(String path) {
    return StorageUrl.parse("http://127.0.0.1:" + server.getLocalPort() + path);
  }

  private static Storage open() {
    return Storage.open(
        StorageOptions.builder()
            .retries(RetryPolicy.NONE)
            .connectTimeout(Duration.ofSeconds(20))
            .idleTimeout(Duration.ofSeconds(20))
            .build());
  }

  @Test
  void connectionIsUsedForOneRequestAfterTheOther() throws IOException {
    try (Storage storage = open()) {
      for (int i = 0; i < 4; i++) {
        assertThat(storage.readAll(url("/" + i), 10)).isEqualTo("hello".getBytes(US_ASCII));
        assertThat(storage.stat(url("/" + i)).size()).isEqualTo(5);
      }
    }

    assertThat(connections).hasSize(1);
    assertThat(connections.get(0))
        .startsWith("GET /0 HTTP/1.1", "HEAD /0 HTTP/1.1", "GET /1 HTTP/1.1");
  }

  @Test
  void connectionThatTheServerHasEndedSinceIsNoFailure() throws IOException {
    answersMax = 1;
    try (Storage storage = open()) {
      for (int i = 0; i < 4; i++) {
        assertThat(storage.readAll(url("/" + i), 10)).isEqualTo("hello".getBytes(US_ASCII));
      }
    }

    assertThat(connections.stream().flatMap(List::stream))
        .containsExactly(
            "GET /0 HTTP/1.1", "GET /1 HTTP/1.1", "GET /2 HTTP/1.1", "GET /3 HTTP/1.1");
  }

  @Test
  void connectionsThatAreKeptCountTowardsTheBoundOfAllServersTogether() throws IOException {
    StorageUrl other = StorageUrl.parse("http://localhost:" + server.getLocalPort() + "/2");
    StorageOptions options =
        StorageOptions.builder().retries(RetryPolicy.NONE).connectionsMax(1).build();
    try (Storage storage = Storage.open(options)) {
      storage.readAll(url("/1"), 10);
      storage.readAll(other, 10);
      storage.readAll(url("/3"), 10);
    }

    assertThat(connections).hasSize(3);
  }

  @Test
  void connectionThatTheServerAnnouncesToEndIsNotUsedAgain() throws IOException {
    header = "Connection: close\r\n";
    try (Storage storage = open()) {
      storage.readAll(url("/1"), 10);
      storage.readAll(url("/2"), 10);
    }

    assertThat(connections).hasSize(2);
  }

  @Test
  void newConnectionThatEndsWithoutAnAnswerIsAFailure() {
    answersMax = 0;
    try (Storage storage = open()) {
      assertThatThrownBy(() -> storage.readAll(url("/1"), 10))
          .isInstanceOfSatisfying(
              StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE))
          .hasMessageContaining("no answer from http://127.0.0.1");
    }
  }

  @Test
  void streamThatIsLeftInTheMiddleEndsItsConnection() throws IOException {
    answer = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\nETag: \"1\"\r\n%s\r\nhello";
    try (Storage storage = open()) {
      try (ObjectStream stream = storage.open(url("/1"))) {
        assertThat(stream.read()).isEqualTo('h');
      }
      answer = ANSWER;
      assertThat(storage.readAll(url("/2"), 10)).isEqualTo("hello".getBytes(US_ASCII));
    }

    assertThat(connections).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"HTTP/9.9 what\r\n\r\n", "SSH-2.0-OpenSSH_9\r\n", "\u0000\u0001\u0002\r\n\r\n"})
  void answerThatIsNotHttpIsAFailure(String garbage) {
    answer = garbage;
    answersMax = 1;
    try (Storage storage = open()) {
      assertThatThrownBy(() -> storage.readAll(url("/1"), 10))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("/1");
    }
  }
}
