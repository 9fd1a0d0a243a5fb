package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.gateway.HandSigner.Signed;
import dev.tarn.gateway.RawConnection.RawResponse;
import dev.tarn.gateway.http.GatewayLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that ask for leave before they send a body. */
class ExpectContinueTest {
  private static final String EXPECT = "Expect: 100-continue\r\n";
  private static final String MB = "Content-Length: 1048576\r\n";

  @AutoClose private static WireFixture wire;

  @BeforeAll
  static void start() {
    wire = new WireFixture("wire");
    wire.store("object", "content");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UNSIGNED-PAYLOAD",
        "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
        "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
        "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
        "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
      })
  void badSignatureIsAnsweredWithoutLeaveWhateverTheModeOfTheBody(String mode) throws IOException {
    Signed request =
        wire.signer()
            .sign(
                "PUT",
                "/wire/refused",
                "/wire/other",
                mode,
                Map.of("expect", "100-continue", "x-amz-decoded-content-length", "5"));
    try (RawConnection connection = wire.connect()) {
      RawResponse refused = connection.send(request.with(MB)).receive();

      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.body()).contains("<Code>SignatureDoesNotMatch</Code>");
      assertEnded(refused, connection);
    }
  }

  @Test
  void badSignatureOfAChunkedBodyIsAnsweredWithoutLeave() throws IOException {
    try (RawConnection connection = wire.connect()) {
      RawResponse refused =
          connection
              .send(
                  wire.request(
                      "PUT",
                      wire.badlySigned("refused"),
                      EXPECT + "Transfer-Encoding: chunked\r\n"))
              .receive();

      assertThat(refused.status()).isEqualTo(403);
      assertEnded(refused, connection);
    }
  }

  /**
   * Botocore before 2026 takes the status of an answer without leave for that of the next answer of
   * its connection, too, and then waits a minute for a body that is not coming.
   */
  @Test
  void badSignatureOfAnEmptyPutIsAnsweredWithoutLeaveAndEndsTheConnection() throws IOException {
    try (RawConnection connection = wire.connect()) {
      RawResponse refused =
          connection
              .send(
                  wire.request(
                      "PUT", wire.badlySigned("refused"), EXPECT + "Content-Length: 0\r\n"))
              .receive();

      assertThat(refused.status()).isEqualTo(403);
      assertEnded(refused, connection);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/nobodys/refused, '', 404, NoSuchBucket",
    "/wire/object, if-none-match: *, 412, PreconditionFailed",
    "/wire/refused, content-md5: AAAA, 400, InvalidDigest",
    "/wire/refused, content-md5: AAAAAAAAAAAAAAAAAAAAAA==, 400, BadDigest",
    "/wire/refused?torrent=, '', 501, NotImplemented",
  })
  void emptyPutThatIsRefusedOtherwiseIsGivenLeaveAndTheConnectionGoesOn(
      String target, String header, int status, String code) throws IOException {
    Map<String, String> headers =
        header.isEmpty() ? Map.of() : Map.of(header.split(": ", 2)[0], header.split(": ", 2)[1]);
    Signed request = wire.signer().sign("PUT", target, WireFixture.UNSIGNED, headers);
    try (RawConnection connection = wire.connect()) {
      connection.send(request.with(EXPECT + "Content-Length: 0\r\n"));
      assertThat(connection.receive().status()).isEqualTo(100);
      RawResponse refused = connection.receive();

      assertThat(refused.status()).isEqualTo(status);
      assertThat(refused.body()).contains("<Code>" + code + "</Code>");
      assertThat(refused.closes()).isFalse();
      assertThat(connection.send(wire.get("object")).receive().body()).isEqualTo("content");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "content-md5, AAAA, 400, InvalidDigest",
    "x-amz-checksum-crc32, AAAA, 400, InvalidRequest",
    "x-amz-checksum-md4, AAAA, 400, InvalidRequest",
    "x-amz-storage-class, WARM, 400, InvalidStorageClass",
    "x-amz-server-side-encryption-customer-algorithm, AES256, 501, NotImplemented",
    "x-amz-object-lock-mode, GOVERNANCE, 400, InvalidRequest",
    "x-amz-meta-snowball-auto-extract, true, 501, NotImplemented",
    "x-amz-trailer, x-amz-checksum-crc32, 400, InvalidRequest",
  })
  void headThatAlreadySaysThatTheBodyCannotBeTakenGetsNoLeave(
      String name, String value, int status, String code) throws IOException {
    Signed request =
        wire.signer().sign("PUT", "/wire/refused", WireFixture.UNSIGNED, Map.of(name, value));
    try (RawConnection connection = wire.connect()) {
      RawResponse refused = connection.send(request.with(EXPECT + MB)).receive();

      assertThat(refused.status()).isEqualTo(status);
      assertThat(refused.body()).contains("<Code>" + code + "</Code>");
      assertEnded(refused, connection);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/nobodys/refused, 404, NoSuchBucket",
    "/wire/refused?torrent=, 501, NotImplemented",
    "/wire/refused?partNumber=1, 400, InvalidArgument",
    "/wire/refused?partNumber=0&uploadId=x, 400, InvalidArgument",
  })
  void refusedTargetGetsNoLeave(String target, int status, String code) throws IOException {
    Signed request = wire.signer().sign("PUT", target, WireFixture.UNSIGNED, Map.of());
    try (RawConnection connection = wire.connect()) {
      RawResponse refused = connection.send(request.with(EXPECT + MB)).receive();

      assertThat(refused.status()).isEqualTo(status);
      assertThat(refused.body()).contains("<Code>" + code + "</Code>");
      assertEnded(refused, connection);
    }
  }

  @Test
  void bodyBeyondTheLargestGetsNoLeave() throws IOException {
    try (RawConnection connection = wire.connect()) {
      RawResponse refused =
          connection
              .send(
                  wire.request(
                      "PUT",
                      wire.presignedPut("refused"),
                      EXPECT + "Content-Length: 99999999999\r\n"))
              .receive();

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.body()).contains("<Code>EntityTooLarge</Code>");
      assertEnded(refused, connection);
    }
  }

  private static void assertEnded(RawResponse refused, RawConnection connection)
      throws IOException {
    assertThat(refused.closes()).isTrue();
    assertThat(connection.read()).isEqualTo(-1);
    assertThat(wire.contentOf("refused")).isEqualTo("404");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Expect: 100-continue", "expect: 100-Continue", "Expect:100-CONTINUE"})
  void leaveIsGivenOnceAndTheConnectionGoesOn(String expect) throws IOException {
    try (RawConnection connection = wire.connect()) {
      for (int round = 0; round < 3; round++) {
        connection.send(
            wire.request("PUT", wire.presignedPut("stored"), expect + "\r\nContent-Length: 4\r\n"));
        assertThat(connection.receive().status()).isEqualTo(100);
        assertThat(connection.send("body").receive().status()).isEqualTo(200);
      }
      assertThat(connection.send(wire.get("stored")).receive().body()).isEqualTo("body");
    }
  }

  @Test
  void leaveIsGivenForAChunkedBody() throws IOException {
    try (RawConnection connection = wire.connect()) {
      connection.send(
          wire.request(
              "PUT", wire.presignedPut("chunks"), EXPECT + "Transfer-Encoding: chunked\r\n"));

      assertThat(connection.receive().status()).isEqualTo(100);
      assertThat(connection.send("4\r\nbody\r\n0\r\n\r\n").receive().status()).isEqualTo(200);
      assertThat(connection.send(wire.get("chunks")).receive().body()).isEqualTo("body");
    }
  }

  @Test
  void leaveIsGivenForADocument() throws IOException {
    String document = "<Tagging><TagSet></TagSet></Tagging>";
    Signed request =
        wire.signer()
            .sign(
                "PUT",
                "/wire/object?tagging=",
                HandSigner.sha256(document.getBytes(US_ASCII)),
                Map.of("expect", "100-continue"));
    try (RawConnection connection = wire.connect()) {
      connection.send(request.with("Content-Length: " + document.length() + "\r\n"));

      assertThat(connection.receive().status()).isEqualTo(100);
      assertThat(connection.send(document).receive().status()).isEqualTo(200);
    }
  }

  @Test
  void bodyThatDoesNotWaitForItsLeaveIsStored() throws IOException {
    try (RawConnection connection = wire.connect()) {
      connection.send(
          wire.request("PUT", wire.presignedPut("eager"), EXPECT + "Content-Length: 4\r\n")
              + "body");
      RawResponse first = connection.receive();
      RawResponse answer = first.status() == 100 ? connection.receive() : first;

      assertThat(answer.status()).isEqualTo(200);
      assertThat(connection.send(wire.get("eager")).receive().body()).isEqualTo("body");
    }
  }

  @Test
  void refusedClientThatDoesNotWaitForItsLeaveStillReadsWhy() throws IOException {
    byte[] body = new byte[1 << 20];
    for (int round = 0; round < 20; round++) {
      try (RawConnection connection = wire.connect()) {
        connection.send(wire.request("PUT", wire.badlySigned("refused"), EXPECT + MB));
        connection.send(body);

        assertThat(connection.receive().status()).isEqualTo(403);
      }
    }
  }

  @Test
  void refusedClientThatDoesNotWaitForItsLeaveStillReadsWhyOverTls(@TempDir Path folder)
      throws Exception {
    Signed wrong =
        wire.signer().sign("PUT", "/tls/refused", "/tls/other", WireFixture.UNSIGNED, Map.of());
    byte[] body = new byte[1 << 20];
    try (Doors doors = new Doors(folder, "tls")) {
      for (int round = 0; round < 10; round++) {
        try (Doors.Visit visit = doors.visit(Doors.Scheme.HTTPS)) {
          visit.connection().send(wrong.with(EXPECT + MB)).send(body);

          assertThat(visit.connection().receive().status()).isEqualTo(403);
        }
      }
    }
  }

  @Test
  void clientThatSendsOnAndOnBehindItsRefusalIsCutOff() throws IOException {
    GatewayLimits defaults = GatewayLimits.DEFAULT;
    GatewayLimits limits =
        new GatewayLimits(
            defaults.initialLineBytesMax(),
            defaults.headerBytesMax(),
            defaults.bodyBytesMax(),
            defaults.documentBytesMax(),
            defaults.connectionsMax(),
            defaults.heldBytesMax(),
            defaults.deletesInFlightMax(),
            defaults.idleMsMax(),
            defaults.progressPeriodMs(),
            defaults.progressBytesMin(),
            defaults.stalledMsMax(),
            1 << 20,
            defaults.drainMsMax(),
            defaults.targetWaitMsMax());
    byte[] piece = new byte[1 << 20];
    try (GatewayFixture gateway = new GatewayFixture(limits, UnaryOperator.identity());
        RawConnection connection = new RawConnection(gateway.port())) {
      connection.send(
          "PUT /none/key HTTP/1.1\r\nHost: a\r\n" + EXPECT + "Content-Length: 5000000000\r\n\r\n");
      assertThat(connection.receive().status()).isEqualTo(404);

      assertThatThrownBy(
              () -> {
                while (true) {
                  connection.send(piece);
                }
              })
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void clientOfTheFirstVersionOfHttpIsNotToldToContinue() throws IOException {
    try (RawConnection connection = wire.connect()) {
      String request =
          wire.request("PUT", wire.presignedPut("old"), EXPECT + "Content-Length: 4\r\n");
      RawResponse stored =
          connection.send(request.replace("HTTP/1.1", "HTTP/1.0") + "body").receive();

      assertThat(stored.status()).isEqualTo(200);
      assertThat(wire.contentOf("old")).isEqualTo("body");
    }
  }

  /** The CRT client begins uploads so. */
  @Test
  void uploadIsBegunByAnExpectationWithoutABody() throws IOException {
    Signed request =
        wire.signer()
            .sign(
                "POST",
                "/wire/upload?uploads=",
                WireFixture.UNSIGNED,
                Map.of("expect", "100-continue", "content-length", "0"));
    try (RawConnection connection = wire.connect()) {
      RawResponse begun = connection.send(request.with("")).receive();

      assertThat(begun.status()).isEqualTo(200);
      assertThat(begun.body()).contains("<UploadId>");
      assertThat(connection.send(wire.get("object")).receive().body()).isEqualTo("content");
    }
  }

  @Test
  void emptyChunkedBodyGetsItsLeaveAndIsStored() throws IOException {
    try (RawConnection connection = wire.connect()) {
      connection.send(
          wire.request(
              "PUT", wire.presignedPut("nothing"), EXPECT + "Transfer-Encoding: chunked\r\n"));

      assertThat(connection.receive().status()).isEqualTo(100);
      assertThat(connection.send("0\r\n\r\n").receive().status()).isEqualTo(200);
      assertThat(wire.contentOf("nothing")).isEmpty();
    }
  }
}
