package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.HandSigner.Signed;
import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.codec.DecoderUtil;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a signature in the header covers, and how it may be written. */
class SignedRequestsTest {
  @AutoClose private static WireFixture wire;

  @BeforeAll
  static void start() {
    wire = new WireFixture("wire");
    wire.store("object", "content");
  }

  @ParameterizedTest
  @CsvSource({
    "x-b=2&x-a=1, x-a=1&x-b=2",
    "x-a=1&x-a=0, x-a=0&x-a=1",
    "x-a=1&x-a=1, x-a=1&x-a=1",
    "x-a=10&x-a=9&x-a, x-a=&x-a=10&x-a=9",
    "x-z=1&x-%C3%A9=2, x-%C3%A9=2&x-z=1",
    "x-a, x-a=",
    "x-a=*, x-a=%2A",
    "x-a=%7e, x-a=~",
    "x-a=b/c, x-a=b%2Fc",
    "x-a-b=1&x-a=2, x-a=2&x-a-b=1",
  })
  void queryIsSignedByTheOrderOfItsEncodedNamesAndValues(String sent, String canonical)
      throws IOException {
    Signed request =
        wire.signer()
            .sign(
                "GET",
                "/wire/object?" + sent,
                "/wire/object?" + canonical,
                WireFixture.UNSIGNED,
                Map.of());
    try (RawConnection connection = wire.connect()) {
      RawResponse read = connection.send(request.with("")).receive();

      assertThat(read.body()).isEqualTo("content");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      value = {
        "user-agent: aws-sdk > user-agent: curl > 403",
        "user-agent: aws-sdk/2| > '' > 403",
        "content-length: 5 > content-length: 4 > 403",
        "expect: 100-continue| > '' > 403",
        "accept: x > accept: y > 200",
        "accept: x| > '' > 200",
      })
  void headersThatAreListedAsSignedAreVerifiedAndNoOthers(String part, String instead, int status)
      throws IOException {
    Signed request =
        wire.signer()
            .sign(
                "PUT",
                "/wire/listed",
                WireFixture.UNSIGNED,
                Map.of("content-length", "5", "expect", "100-continue", "user-agent", "aws-sdk/2"));
    String head = request.with("accept: x\r\n");
    String changed = head.replace(lines(part), lines(instead));
    assertThat(changed).isNotEqualTo(head);
    try (RawConnection connection = wire.connect()) {
      connection.send(changed);
      RawResponse answer =
          changed.contains("expect: ") ? connection.receive() : connection.send("hello").receive();
      if (answer.status() == 100) {
        answer = connection.send("hello").receive();
      }

      assertThat(answer.status()).isEqualTo(status);
    }
  }

  @Test
  void timeMayStandInADateHeaderAlone() throws IOException {
    assertThat(readDated(Instant.now()).body()).isEqualTo("content");
    assertThat(readDated(Instant.now().minusSeconds(1000)).body())
        .contains("<Code>RequestTimeTooSkewed</Code>");
  }

  private static RawResponse readDated(Instant instant) throws IOException {
    String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(instant.atOffset(ZoneOffset.UTC));
    Signed request =
        new HandSigner(wire.host(), GatewayFixture.ALICE, instant)
            .signDated("GET", "/wire/object", WireFixture.UNSIGNED, date);
    assertThat(request.head()).doesNotContain("x-amz-date");
    try (RawConnection connection = wire.connect()) {
      return connection.send(request.with("")).receive();
    }
  }

  @Test
  void requestWithoutAnyTimeIsRefused() throws IOException {
    String request =
        wire.signer()
            .sign("GET", "/wire/object", WireFixture.UNSIGNED, Map.of())
            .with("")
            .replaceFirst("x-amz-date: [^\r]*\r\n", "");
    try (RawConnection connection = wire.connect()) {
      assertThat(connection.send(request).receive().body()).contains("<Code>AccessDenied</Code>");
    }
  }

  @Test
  void mismatchTellsWhatHadToBeSigned() throws IOException {
    String request =
        wire.signer()
            .sign("GET", "/wire/object", "/wire/other", WireFixture.UNSIGNED, Map.of())
            .with("");
    try (RawConnection connection = wire.connect()) {
      RawResponse refused = connection.send(request).receive();

      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.body())
          .contains("<Code>SignatureDoesNotMatch</Code>")
          .containsPattern(
              "<StringToSign>AWS4-HMAC-SHA256&#xa;\\d{8}T\\d{6}Z&#xa;\\d{8}/us-east-1/s3/aws4_request"
                  + "&#xa;[0-9a-f]{64}</StringToSign>");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"caf\u00e9", "\u65e5\u672c", "\ud83d\ude00", "a  b"})
  void metadataInUtf8IsToldInAsciiByRfc2047(String text) throws IOException {
    String signed = text.replaceAll(" +", " ");
    Signed put =
        wire.signer()
            .sign("PUT", "/wire/said", WireFixture.UNSIGNED, Map.of("x-amz-meta-said", signed));
    try (RawConnection connection = wire.connect()) {
      byte[] request =
          (put.with("Content-Length: 1\r\n").replace(": " + signed, ": " + text) + "x")
              .getBytes(UTF_8);
      assertThat(connection.send(request).receive().status()).isEqualTo(200);
      RawResponse read = connection.send(wire.get("said")).receive();

      String told = read.header("x-amz-meta-said");
      assertThat(told).isASCII();
      assertThat(DecoderUtil.decodeEncodedWords(told, DecodeMonitor.STRICT)).isEqualTo(text);
    }
  }

  private static String lines(String text) {
    return text.replace("|", "\r\n");
  }
}
