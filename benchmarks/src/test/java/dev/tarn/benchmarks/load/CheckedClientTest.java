package dev.tarn.benchmarks.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckedClientTest {
  private static final String HELLO = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
  private static final int WHOLE = 1 << 20;

  @Test
  void rightAnswersOfEachFramingPass() throws IOException {
    String chunked =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n";

    get(HELLO, Expectation.body(5, crc32c("hello")), 10, 2);
    get(chunked, Expectation.body(5, crc32c("hello")), 10, 2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          200 | 5 | olleh | the body's CRC32C is wrong
          200 | 6 | hello | 5 bytes instead of 6
          201 | 5 | hello | status 200 instead of 201: hello
          """)
  void wrongAnswerEndsTheLoad(int status, int length, String body, String message) {
    Expectation expected =
        new Expectation(status, OptionalLong.of(length), OptionalLong.of(crc32c(body)));

    assertThatThrownBy(() -> get(HELLO, expected, 1, 1))
        .isInstanceOf(IOException.class)
        .hasMessage("a request failed: GET /key: " + message);
  }

  @Test
  void answerThatBreaksOffEndsTheLoad() {
    String answer = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\nhello";

    assertThatThrownBy(() -> get(answer, Expectation.status(200), 1, 1))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("a request failed: GET /key: ");
  }

  @Test
  void bodiesOfPutsAreSentUntilTheTimeHasPassed() throws IOException {
    try (ScriptedServer server =
        new ScriptedServer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", WHOLE)) {
      PreparedRequest request =
          Requests.unsigned(server.address())
              .put(
                  "/key",
                  ByteBuffer.allocateDirect(1000),
                  PayloadHash.SIGNED,
                  Expectation.status(200));

      LoadResult sent =
          CheckedClient.repeat(server.address(), List.of(request), 3, Duration.ofSeconds(1));

      assertThat(sent.operations()).isPositive();
      assertThat(sent.elapsedNanos()).isGreaterThanOrEqualTo(1_000_000_000);
    }
  }

  @Test
  void headHasALengthAndNoBody() throws IOException {
    try (ScriptedServer server =
        new ScriptedServer("HTTP/1.1 200 OK\r\nContent-Length: 77\r\n\r\n", WHOLE)) {
      PreparedRequest request =
          Requests.unsigned(server.address()).head("/key", Expectation.body(77, 0));

      CheckedClient.sendAll(server.address(), List.of(request, request), 1);

      PreparedRequest wrong =
          Requests.unsigned(server.address()).head("/key", Expectation.body(78, 0));
      assertThatThrownBy(() -> CheckedClient.sendAll(server.address(), List.of(wrong), 1))
          .hasMessage("a request failed: HEAD /key: 77 bytes instead of 78");
    }
  }

  private static void get(String answer, Expectation expectation, int count, int connections)
      throws IOException {
    try (ScriptedServer server = new ScriptedServer(answer, WHOLE)) {
      PreparedRequest request = Requests.unsigned(server.address()).get("/key", expectation);
      CheckedClient.sendAll(server.address(), Collections.nCopies(count, request), connections);
    }
  }

  private static long crc32c(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(US_ASCII));
    return crc.getValue();
  }
}
