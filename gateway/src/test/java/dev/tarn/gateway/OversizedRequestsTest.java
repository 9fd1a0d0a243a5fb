package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Heads and frames that are longer than anybody needs. */
class OversizedRequestsTest {
  private static final String TOO_LARGE = "<Code>RequestHeaderSectionTooLarge</Code>";

  @AutoClose private static WireFixture wire;

  @BeforeAll
  static void start() {
    wire = new WireFixture("wire");
    wire.store("object", "content");
  }

  @Test
  void oneLongHeaderIsRefusedByName() throws IOException {
    assertTooLarge(wire.request("GET", "/wire/object", "X-Long: " + "x".repeat(70_000) + "\r\n"));
  }

  @Test
  void manyHeadersAreRefusedByName() throws IOException {
    assertTooLarge(wire.request("GET", "/wire/object", "X-Short: x\r\n".repeat(7_000)));
  }

  @Test
  void longHeaderNameIsRefusedByName() throws IOException {
    assertTooLarge(wire.request("GET", "/wire/object", "x".repeat(70_000) + ": y\r\n"));
  }

  @Test
  void longRequestLineIsRefusedByNameWhereverItIsLong() throws IOException {
    assertTooLarge("GET".repeat(10_000) + " /wire/object HTTP/1.1\r\n\r\n");
    assertTooLarge(wire.request("GET", "/wire/object?x-long=" + "x".repeat(20_000), ""));
  }

  @Test
  void headBelowTheBoundIsServed() throws IOException {
    try (RawConnection connection = wire.connect()) {
      String headers = "X-Long: " + "x".repeat(30_000) + "\r\n" + "X-Short: x\r\n".repeat(2_000);
      String target = "/wire/object?x-long=" + "x".repeat(16_000);

      assertThat(connection.send(wire.request("GET", target, headers)).receive().body())
          .isEqualTo("content");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /wire/object?x-long=",
        "GET /wire/object HTTP/1.1|Host: a|X-Long: ",
        "GET /wire/object HTTP/1.1|Host: a|x",
      })
  void endlessHeadIsRefusedBeforeItEnds(String beginning) throws IOException {
    try (RawConnection connection = wire.connect()) {
      RawResponse refused =
          connection.send(beginning.replace("|", "\r\n") + "x".repeat(200_000)).receive();

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.body()).contains(TOO_LARGE);
      assertThat(connection.read()).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"5;a=", "00000000000000000005", "5|hello|0|X-Trailer: "})
  void endlessFrameOfAChunkIsRefused(String beginning) throws IOException {
    String padding = beginning.startsWith("0") ? "0" : "x";
    try (RawConnection connection = wire.connect()) {
      RawResponse refused =
          connection
              .send(
                  wire.request("PUT", wire.presignedPut("frame"), "Transfer-Encoding: chunked\r\n"))
              .send(beginning.replace("|", "\r\n") + padding.repeat(200_000))
              .receive();

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.closes()).isTrue();
      assertThat(connection.read()).isEqualTo(-1);
    }
    assertThat(wire.contentOf("frame")).isEqualTo("404");
  }

  @Test
  void emptyLinesBeforeARequestAreNothing() throws IOException {
    try (RawConnection connection = wire.connect()) {
      assertThat(connection.send("\r\n\r\n" + wire.get("object")).receive().body())
          .isEqualTo("content");
      assertThat(connection.send("\r\n" + wire.get("object")).receive().body())
          .isEqualTo("content");
    }
  }

  private static void assertTooLarge(String request) throws IOException {
    try (RawConnection connection = wire.connect()) {
      RawResponse refused = connection.send(request).receive();

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.body()).contains(TOO_LARGE);
      assertThat(refused.closes()).isTrue();
      assertThat(connection.read()).isEqualTo(-1);
    }
  }
}
