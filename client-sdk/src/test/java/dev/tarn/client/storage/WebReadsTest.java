package dev.tarn.client.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.FaultyServer.Fault;
import dev.tarn.client.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WebReadsTest {
  private static final int SIZE = 300_000;

  private final byte[] content = new byte[SIZE];
  private final List<Duration> pauses = new ArrayList<>();
  private FaultyServer server;
  private Storage storage;
  private StorageUrl url;

  @BeforeEach
  void serve() throws IOException {
    new Random(1).nextBytes(content);
    server = new FaultyServer();
    server.put("/d/object", content);
    url = StorageUrl.parse(server.url("/d/object"));
    storage = Storage.open(options(3).build());
  }

  @AfterEach
  void stop() {
    storage.close();
    server.close();
  }

  @Test
  void wholeObjectsAndRangesAreRead() throws IOException {
    assertThat(storage.readAll(url, SIZE)).isEqualTo(content);
    ByteBuffer target = ByteBuffer.allocate(100);
    assertThat(storage.read(url, SIZE - 60, target)).isEqualTo(60);
    assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(content, SIZE - 60, 60));
    assertThat(storage.read(url, SIZE, target.clear())).isZero();
    assertThat(storage.stat(url).size()).isEqualTo(SIZE);
  }

  @Test
  void brokenAnswerIsResumedWhereItBrokeUnderItsEtag() throws IOException {
    server.failNext(Fault.cutAfter(100_000));
    server.failNext(Fault.cutAfter(50_000));
    assertThat(storage.readAll(url, SIZE)).isEqualTo(content);
    assertThat(server.requests())
        .containsExactly(
            "GET /d/object null",
            "GET /d/object bytes=100000-299999",
            "GET /d/object bytes=150000-299999");
  }

  @Test
  void brokenAnswerWithoutEtagIsAnError() {
    server.withoutEtags();
    server.failNext(Fault.cutAfter(100_000));
    assertThatThrownBy(() -> storage.readAll(url, SIZE))
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TRUNCATED))
        .hasMessageContaining("broke off at byte 100000, expected 300000 bytes");
  }

  @Test
  void objectReplacedBetweenTheBreakAndTheResumptionIsAnError() throws IOException {
    server.failNext(Fault.cutAfter(100_000));
    try (ObjectStream stream = storage.open(url)) {
      server.put("/d/object", new byte[SIZE]);
      assertThatThrownBy(() -> stream.readFully(ByteBuffer.allocate(SIZE)))
          .isInstanceOfSatisfying(
              StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CHANGED));
    }
  }

  @Test
  void serverErrorsAreTriedAgainWithGrowingWaits() throws IOException {
    server.failNext(Fault.status(500));
    server.failNext(Fault.status(503));
    assertThat(storage.readAll(url, SIZE)).isEqualTo(content);
    assertThat(pauses).containsExactly(Duration.ofMillis(50), Duration.ofMillis(100));
  }

  @Test
  void retriesEndWithAClearError() {
    for (int i = 0; i < 3; i++) {
      server.failNext(Fault.status(503));
    }
    assertThatThrownBy(() -> storage.stat(url))
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE))
        .hasMessageContaining("HTTP status 503")
        .hasMessageContaining("given up after 3 attempts");
  }

  @Test
  void whatIsNotThereIsNotAskedForTwice() {
    StorageUrl missing = StorageUrl.parse(server.url("/d/none"));
    assertThatThrownBy(() -> storage.open(missing))
        .hasMessage(missing + ": no such object (HTTP status 404)");
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void serverThatIgnoresRangesIsReadFromItsStartOnly() throws IOException {
    Fault ignoring =
        (exchange, bytes) -> {
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          return true;
        };
    server.failNext(ignoring);
    ByteBuffer target = ByteBuffer.allocate(1000);
    assertThat(storage.read(url, 0, target)).isEqualTo(1000);
    server.failNext(ignoring);
    assertThatThrownBy(() -> storage.read(url, 10, target.clear()))
        .hasMessageContaining("ignores Range");
  }

  @Test
  void whatComesBehindTheRangeThatWasWantedMayBreakOff() throws IOException {
    server.failNext((exchange, bytes) -> {
      exchange.sendResponseHeaders(200, 1_500);
      exchange.getResponseBody().write(bytes, 0, 1_200);
      exchange.getResponseBody().flush();
      throw new IOException("broken off");
    });
    ByteBuffer target = ByteBuffer.allocate(1000);

    assertThat(storage.read(url, 0, target)).isEqualTo(1000);
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void redirectsAreFollowedButNotForEver() throws IOException {
    Fault elsewhere =
        (exchange, bytes) -> {
          exchange.getResponseHeaders().set("Location", "/d/object");
          exchange.sendResponseHeaders(302, -1);
          return true;
        };
    server.failNext(elsewhere);
    assertThat(storage.readAll(url, SIZE)).isEqualTo(content);
    for (int i = 0; i < 10; i++) {
      server.failNext(elsewhere);
    }
    assertThatThrownBy(() -> storage.readAll(url, SIZE)).hasMessageContaining("redirected more");
  }

  @Test
  void redirectToWhatIsNoAddressIsAnError() {
    server.failNext((exchange, bytes) -> {
      exchange.getResponseHeaders().set("Location", "/d/no address");
      exchange.sendResponseHeaders(302, -1);
      return true;
    });
    assertThatThrownBy(() -> storage.readAll(url, SIZE))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("redirected to an invalid address");
  }

  @Test
  void silentServerIsGivenUpAfterTheTimeout() throws IOException {
    CountDownLatch givenUp = new CountDownLatch(1);
    try (Storage impatient = Storage.open(options(1).idleTimeout(Duration.ofMillis(50)).build())) {
      server.failNext((exchange, bytes) -> {
        try {
          givenUp.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        return true;
      });
      assertThatThrownBy(() -> impatient.open(url)).hasMessageContaining("timed out");
    } finally {
      givenUp.countDown();
    }
  }

  @Test
  void serverThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> storage.open(StorageUrl.parse("http://127.0.0.1:1/x")))
        .hasMessageContaining("no answer from http://127.0.0.1:1");
  }

  @Test
  void webServersAreReadOnly() {
    assertThatThrownBy(() -> storage.create(url)).hasMessageContaining("cannot be written to");
    assertThatThrownBy(() -> storage.list(url)).hasMessageContaining("no listing");
  }

  private StorageOptions.Builder options(int attempts) {
    Pacing recorded =
        new Pacing() {
          @Override
          public void pause(Duration duration) {
            pauses.add(duration);
          }

          @Override
          public double jitter() {
            return 0.5;
          }
        };
    return StorageOptions.builder()
        .retries(new RetryPolicy(attempts, Duration.ofMillis(100), Duration.ofSeconds(5)))
        .pacing(recorded);
  }
}
