package dev.tarn.client.storage;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that send what is no answer, or no end of it: an error, after little of it. */
@Timeout(60)
final class GarbageServersTest {
  private static final String WHOLE =
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"1\"\r\n\r\nhello";

  /** What the systems of both ends hold in their buffers, beside what is read. */
  private static final long BUFFERED_BYTES_MAX = 16 << 20;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicLong sent = new AtomicLong();
  private ServerSocket server;
  private String begun = "";
  private String repeated = "";
  private Duration pause = Duration.ZERO;

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(() -> {
      while (!server.isClosed()) {
        try {
          Socket socket = server.accept();
          threads.execute(() -> serve(socket));
        } catch (IOException e) {
          return;
        }
      }
    });
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    threads.shutdownNow();
  }

  /** Reads a request's first bytes, and sends until the client has enough. */
  private void serve(Socket socket) {
    try (socket;
        OutputStream out = socket.getOutputStream()) {
      if (socket.getInputStream().read() < 0) {
        return;
      }
      out.write(begun.getBytes(US_ASCII));
      byte[] more = repeated.getBytes(US_ASCII);
      while (more.length > 0 && !Thread.currentThread().isInterrupted()) {
        out.write(more);
        sent.addAndGet(more.length);
        LockSupport.parkNanos(pause.toNanos());
      }
    } catch (IOException e) {
      // The client has cut the connection.
    }
  }

  private StorageUrl url() {
    return StorageUrl.parse("http://127.0.0.1:%d/object".formatted(server.getLocalPort()));
  }

  private static Storage open(Duration idleTimeout) {
    return Storage.open(
        StorageOptions.builder().retries(RetryPolicy.NONE).idleTimeout(idleTimeout).build());
  }

  private void assertRefused(String message) throws IOException {
    try (Storage storage = open(Duration.ofSeconds(20))) {
      assertThatThrownBy(() -> storage.readAll(url(), 10))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("/object")
          .hasMessageContaining(message);
    }
    assertThat(sent).hasValueLessThan(BUFFERED_BYTES_MAX);
  }

  @Test
  void headersWithoutEndAreCutOff() throws IOException {
    begun = "HTTP/1.1 200 OK\r\n";
    repeated = "X-More: %s\r\n".formatted("y".repeat(500));
    assertRefused("Maximum header count");
    begun = "HTTP/1.1 200 OK\r\nX-More: ";
    repeated = "y".repeat(1000);
    assertRefused("Maximum line length");
    begun += "y".repeat(256 * 1024 - begun.length());
    repeated = "y";
    pause = Duration.ofMillis(5);
    assertRefused("Maximum line length");
    pause = Duration.ZERO;
    begun = "HTTP/1.1 200 OK\r\n";
    repeated = "X-More: %s\r\n".formatted("y".repeat(5_000));
    assertRefused("more than 262144 bytes and still not its end");
  }

  @Test
  void interimAnswersWithoutEndAreCutOff() throws IOException {
    repeated = "HTTP/1.1 100 Continue\r\n\r\n";
    assertRefused("17 answers with a status below 200");
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.1 500 No\r\n", "HTTP/1.1 404 No\r\n"})
  void refusalWhoseTextHasNoEndIsReadInPart(String status) throws IOException {
    begun = status + "Transfer-Encoding: chunked\r\n\r\n";
    repeated = "400\r\n%s\r\n".formatted("z".repeat(0x400));
    assertRefused(status.contains("404") ? "no such object" : "HTTP status 500");
    begun = status + "Content-Length: 9000000000000000000\r\n\r\n";
    repeated = "z".repeat(0x400);
    assertRefused("HTTP status");
  }

  @Test
  void headThatTricklesIsGivenUp() throws IOException {
    repeated = "H";
    pause = Duration.ofMillis(5);
    try (Storage storage = open(Duration.ofMillis(200))) {
      assertThatThrownBy(() -> storage.readAll(url(), 10))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("no answer from http://127.0.0.1");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 000 None\r\n\r\n",
        "HTTP/1.1 abc None\r\n\r\n",
        "HTTP/1.1\r\n\r\n",
        "HTTP/1.1 99999999999 Many\r\n\r\n",
        "HTTP/1.1 -200 Less\r\n\r\n",
        "200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 206 Part\r\nContent-Range: bytes 9-1/3\r\nContent-Length: 3\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: huffman\r\n\r\n"
      })
  void wrongHeadIsAnError(String head) throws IOException {
    begun = head;
    assertRefused("");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffffffffffffffff", "7fffffffffffffff", "-1", "x"})
  void chunkOfAnImpossibleLengthTakesNoMemory(String length) throws IOException {
    begun =
        "HTTP/1.1 206 Part\r\nContent-Range: bytes 0-9/10\r\nETag: \"1\"\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n"
            + length
            + "\r\n";
    repeated = "w".repeat(1000);
    try (Storage storage = open(Duration.ofSeconds(20));
        ObjectStream stream = storage.open(url(), 0, 10, null)) {
      byte[] bytes = new byte[20];
      if (length.startsWith("7")) {
        assertThat(stream.readNBytes(bytes, 0, 20)).isEqualTo(10);
      } else {
        assertThatThrownBy(() -> stream.readNBytes(bytes, 0, 20))
            .isInstanceOf(StorageException.class);
      }
    }
    assertThat(sent).hasValueLessThan(BUFFERED_BYTES_MAX);
  }

  @Test
  void goodServerIsReadAfterwards() throws IOException {
    begun = WHOLE;
    try (Storage storage = open(Duration.ofSeconds(20))) {
      assertThat(storage.readAll(url(), 10)).asString(US_ASCII).isEqualTo("hello");
    }
  }
}
