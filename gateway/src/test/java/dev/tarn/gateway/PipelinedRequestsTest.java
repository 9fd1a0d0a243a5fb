package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are sent before the answer to the one before them has come. */
class PipelinedRequestsTest {
  @AutoClose private static WireFixture wire;

  @BeforeAll
  static void start() {
    wire = new WireFixture("wire");
    wire.store("object", "content");
  }

  @Test
  void writesAndReadsAreAnsweredInTheOrderTheyWereSent() throws IOException {
    try (RawConnection connection = wire.connect()) {
      connection.send(
          put("first", "Content-Length: 3\r\n")
              + "one"
              + put("second", "Transfer-Encoding: chunked\r\n")
              + "3\r\ntwo\r\n0\r\n\r\n"
              + wire.get("first")
              + wire.get("second")
              + wire.request("HEAD", "/wire/first", "")
              + wire.get("missing")
              + wire.get("object"));

      assertThat(connection.receive().status()).isEqualTo(200);
      assertThat(connection.receive().status()).isEqualTo(200);
      assertThat(connection.receive().body()).isEqualTo("one");
      assertThat(connection.receive().body()).isEqualTo("two");
      assertThat(connection.receive(true).header("Content-Length")).isEqualTo("3");
      assertThat(connection.receive().status()).isEqualTo(404);
      assertThat(connection.receive().body()).isEqualTo("content");
    }
  }

  @Test
  void everyCutBetweenPipelinedRequestsGivesTheSameAnswers() throws IOException {
    byte[] requests =
        (put("cut", "Transfer-Encoding: chunked\r\n")
                + "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"
                + wire.get("cut"))
            .getBytes(ISO_8859_1);
    try (RawConnection connection = wire.connect()) {
      for (int cut = 1; cut < requests.length; cut++) {
        connection.send(Arrays.copyOf(requests, cut));
        connection.send(Arrays.copyOfRange(requests, cut, requests.length));

        assertThat(connection.receive().status()).isEqualTo(200);
        assertThat(connection.receive().body()).isEqualTo("abc");
      }
    }
  }

  @Test
  void refusedBodyIsDrainedBeforeThePipelinedRequestBehindIt() throws IOException {
    String body = "x".repeat(200_000);
    try (RawConnection connection = wire.connect()) {
      for (int round = 0; round < 20; round++) {
        connection.send(
            wire.request(
                    "PUT", wire.badlySigned("refused"), "Content-Length: " + body.length() + "\r\n")
                + body
                + wire.get("object"));

        assertThat(connection.receive().status()).isEqualTo(403);
        assertThat(connection.receive().body()).isEqualTo("content");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"zz\r\n", "5\r\nhello\r\nzz\r\n", "5\r\nhelloXX0\r\n\r\n"})
  void pipelinedRequestWhoseChunksAreBrokenIsAnsweredInItsTurn(String chunks) throws IOException {
    try (RawConnection connection = wire.connect()) {
      connection.send(
          wire.get("object") + put("broken", "Transfer-Encoding: chunked\r\n") + chunks);
      RawResponse first = connection.receive();
      RawResponse second = connection.receive();

      assertThat(first.body()).isEqualTo("content");
      assertThat(second.status()).isEqualTo(400);
      assertThat(second.body()).contains("The chunks of the body are not valid HTTP/1.1: ");
      assertThat(second.closes()).isTrue();
      assertThat(connection.read()).isEqualTo(-1);
    }
    assertThat(wire.contentOf("broken")).isEqualTo("404");
  }

  @Test
  void wholeRequestIsNotSpoiltByTheBrokenOneBehindIt() throws IOException {
    byte[] body = new byte[30_000];
    new Random(1).nextBytes(body);
    String whole = put("whole", "Content-Length: " + body.length + "\r\n");
    String broken = put("broken", "Transfer-Encoding: chunked\r\n") + "zz\r\n";
    try (RawConnection connection = wire.connect()) {
      connection.send(whole + new String(body, ISO_8859_1) + broken);

      assertThat(connection.receive().status()).isEqualTo(200);
      assertThat(connection.receive().status()).isEqualTo(400);
    }
    assertThat(wire.contentOf("whole")).isEqualTo(new String(body, ISO_8859_1));
  }

  @Test
  void pipelinedRequestWhoseHeadIsBrokenIsAnsweredInItsTurn() throws IOException {
    try (RawConnection connection = wire.connect()) {
      connection.send(wire.get("object") + "GET /wire/object HTTP/1.1\r\nHost\r\n\r\n");

      assertThat(connection.receive().body()).isEqualTo("content");
      RawResponse second = connection.receive();
      assertThat(second.status()).isEqualTo(400);
      assertThat(second.closes()).isTrue();
      assertThat(connection.read()).isEqualTo(-1);
    }
  }

  @Test
  void requestBehindOneThatClosesIsNotAnswered() throws IOException {
    try (RawConnection connection = wire.connect()) {
      connection.send(
          wire.request("GET", "/wire/object", "Connection: close\r\n") + wire.get("object"));

      assertThat(connection.receive().body()).isEqualTo("content");
      assertThat(connection.read()).isEqualTo(-1);
    }
  }

  private static String put(String key, String headers) {
    return wire.request("PUT", wire.presignedPut(key), headers);
  }
}
