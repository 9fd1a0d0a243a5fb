package dev.tarn.benchmarks.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadClientTest {
  private static final int WHOLE = 1 << 20;
  private static final String HELLO = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, WHOLE})
  void answersOfKnownLengthAreReadInPiecesOfAnySize(int pieceBytes) throws IOException {
    LoadResult result = get(HELLO, pieceBytes, Expectation.body(5, crc32c("hello")), 10, 2);
    assertThat(result.operations()).isEqualTo(10);
    assertThat(result.bytes()).isEqualTo(50);
    assertThat(result.firstError()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, WHOLE})
  void chunkedAnswersAreReadInPiecesOfAnySize(int pieceBytes) throws IOException {
    String chunks = "2;name=value\r\nhe\r\n3\r\nllo\r\n0\r\ntrailer: x\r\n\r\n";
    String answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks;
    LoadResult result = get(answer, pieceBytes, Expectation.body(5, crc32c("hello")), 10, 2);
    assertThat(result.firstError()).isEmpty();
    assertThat(result.operations()).isEqualTo(10);
  }

  @Test
  void wrongContentIsAnError() throws IOException {
    LoadResult result = get(HELLO, WHOLE, Expectation.body(5, crc32c("olleh")), 1, 1);
    assertThat(result.operations()).isZero();
    assertThat(result.firstError()).hasValue("GET /key HTTP/1.1: the body's CRC32C is wrong");
  }

  @Test
  void wrongLengthIsAnError() throws IOException {
    LoadResult result = get(HELLO, WHOLE, Expectation.body(6, 0), 1, 1);
    assertThat(result.firstError()).hasValue("GET /key HTTP/1.1: 5 bytes instead of 6");
  }

  @Test
  void wrongStatusIsAnErrorThatQuotesTheAnswer() throws IOException {
    LoadResult result =
        get(
            "HTTP/1.1 403 Forbidden\r\ncontent-length: 6\r\n\r\nreason",
            WHOLE,
            Expectation.status(200),
            1,
            1);
    assertThat(result.errors()).isOne();
    assertThat(result.firstError())
        .hasValue("GET /key HTTP/1.1: status 403 instead of 200: reason");
  }

  @Test
  void connectionThatEndsWithinAnAnswerIsAnError() throws IOException {
    LoadResult result =
        get(
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\nhello",
            WHOLE,
            Expectation.status(200),
            1,
            1);
    assertThat(result.firstError())
        .hasValue(
            "GET /key HTTP/1.1: the server closed the connection before the end of the answer");
  }

  @Test
  void serverThatClosesAfterEachAnswerIsConnectedToAgain() throws IOException {
    String answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    try (ScriptedServer server = new ScriptedServer(answer, WHOLE)) {
      PreparedRequest request =
          Requests.unsigned(server.address()).get("/key", Expectation.status(200));
      LoadResult result =
          LoadClient.run(Load.once(server.address(), Collections.nCopies(5, request), 1));
      assertThat(result.operations()).isEqualTo(5);
      assertThat(server.connections()).isEqualTo(5);
    }
  }

  @Test
  void bodiesOfPutsAreSentOnKeptConnections() throws IOException {
    try (ScriptedServer server =
        new ScriptedServer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", WHOLE)) {
      ByteBuffer body = ByteBuffer.allocateDirect(1000);
      PreparedRequest request =
          Requests.unsigned(server.address())
              .put("/key", body, PayloadHash.SIGNED, Expectation.status(200));
      LoadResult result =
          LoadClient.run(Load.once(server.address(), Collections.nCopies(20, request), 3));
      assertThat(result.operations()).isEqualTo(20);
      assertThat(result.bytes()).isEqualTo(20_000);
      assertThat(server.connections()).isEqualTo(3);
    }
  }

  @Test
  void headHasALengthAndNoBody() throws IOException {
    String answer = "HTTP/1.1 200 OK\r\nContent-Length: 77\r\n\r\n";
    try (ScriptedServer server = new ScriptedServer(answer, WHOLE)) {
      PreparedRequest request =
          Requests.unsigned(server.address()).head("/key", Expectation.body(77, 0));
      LoadResult result = LoadClient.run(Load.once(server.address(), List.of(request, request), 1));
      assertThat(result.firstError()).isEmpty();
      assertThat(result.operations()).isEqualTo(2);
      assertThat(result.bytes()).isZero();
    }
  }

  @Test
  void timedLoadGoesRoundTheRequests() throws IOException {
    try (ScriptedServer server = new ScriptedServer(HELLO, WHOLE)) {
      PreparedRequest request =
          Requests.unsigned(server.address()).get("/key", Expectation.status(200));
      Duration duration = Duration.ofMillis(200);
      Load load = Load.during(server.address(), List.of(request), 2, duration);
      LoadResult result = LoadClient.run(load);
      assertThat(result.errors()).isZero();
      assertThat(result.operations()).isGreaterThan(1);
      assertThat(result.elapsedNanos()).isGreaterThanOrEqualTo(duration.toNanos());
    }
  }

  private static LoadResult get(
      String answer, int pieceBytes, Expectation expectation, int count, int connections)
      throws IOException {
    try (ScriptedServer server = new ScriptedServer(answer, pieceBytes)) {
      PreparedRequest request = Requests.unsigned(server.address()).get("/key", expectation);
      return LoadClient.run(
          Load.once(server.address(), Collections.nCopies(count, request), connections));
    }
  }

  private static long crc32c(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(US_ASCII));
    return crc.getValue();
  }
}
