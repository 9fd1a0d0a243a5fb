package dev.tarn.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PacedClientTest {
  private static final int WHOLE = 1 << 20;
  private static final Duration SHORT = Duration.ofMillis(100);

  @Test
  void eachRequestOfTheTimeHasAnAnswer() throws IOException {
    List<TimedAnswer> answers =
        run("HTTP/1.1 200 OK\r\nLocation: there\r\nContent-Length: 5\r\n\r\nhello");
    assertThat(answers).extracting(TimedAnswer::index).containsExactly(0, 1, 2, 3, 4);
    assertThat(answers)
        .allSatisfy(answer -> {
          assertThat(answer.ok()).isTrue();
          assertThat(answer.location()).isEqualTo("there");
          assertThat(answer.latencyMs()).isPositive();
        });
  }

  @Test
  void refusalIsAnAnswerThatIsNotOk() throws IOException {
    assertThat(run("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n"))
        .allSatisfy(answer -> {
          assertThat(answer.status()).isEqualTo(503);
          assertThat(answer.ok()).isFalse();
        });
  }

  @Test
  void brokenAnswerHasNoStatus() throws IOException {
    assertThat(run("HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\nhello"))
        .extracting(TimedAnswer::status)
        .containsOnly(0);
  }

  private static List<TimedAnswer> run(String answer) throws IOException {
    try (ScriptedServer server = new ScriptedServer(answer, WHOLE);
        PacedClient client = new PacedClient(server.address())) {
      PreparedRequest request =
          Requests.unsigned(server.address()).get("/key", Expectation.status(200));
      return client.run(50, SHORT, index -> request);
    }
  }
}
