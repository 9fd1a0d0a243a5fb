package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests signed in their header for one thing do not authorise another. */
class TamperedRequestsTest {
  private static final String BODY = "hello";
  private static final String DATE = "x-amz-date: ";

  @AutoClose private static WireFixture wire;

  @BeforeAll
  static void start() {
    wire = new WireFixture("wire");
    wire.store("other", "kept");
    wire.s3().createBucket(r -> r.bucket("elsewhere"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      value = {
        "PUT /wire > DELETE /wire > SignatureDoesNotMatch",
        "PUT /wire > GET /wire > SignatureDoesNotMatch",
        "/wire/key? > /elsewhere/key? > SignatureDoesNotMatch",
        "/wire/key? > /nobodys/key? > SignatureDoesNotMatch",
        "/wire/key? > /wire/other? > SignatureDoesNotMatch",
        "/wire/key? > /wire/key/? > SignatureDoesNotMatch",
        "/wire/key? > /wire//key? > SignatureDoesNotMatch",
        "/wire/key? > /wire/KEY? > SignatureDoesNotMatch",
        "/wire/key? > /wire/%256bey? > SignatureDoesNotMatch",
        "/wire/key? > /wire/./key? > SignatureDoesNotMatch",
        "/wire/key? > /wire/../wire/key? > SignatureDoesNotMatch",
        "x-id=PutObject > x-id=GetObject > SignatureDoesNotMatch",
        "?x-id=PutObject > ? > SignatureDoesNotMatch",
        "x-id=PutObject > x-id=PutObject&x-id=PutObject > SignatureDoesNotMatch",
        "x-id=PutObject > x-id=PutObject&tagging > SignatureDoesNotMatch",
        "x-id=PutObject > x-id=PutObject&acl= > SignatureDoesNotMatch",
        "x-id=PutObject > x-id=PutObject&partNumber=1&uploadId=x > SignatureDoesNotMatch",
        "x-id=PutObject > x-id=PutObject&versionId=null > SignatureDoesNotMatch",
        "cache-control: no-cache > cache-control: no-store > SignatureDoesNotMatch",
        "content-type: text/plain > content-type: text/html > SignatureDoesNotMatch",
        "color: blue > color: red > SignatureDoesNotMatch",
        "if-none-match: * > if-none-match: x > SignatureDoesNotMatch",
        "storage-class: STANDARD > storage-class: GLACIER > SignatureDoesNotMatch",
        "host: 127.0.0.1 > host: 127.0.0.2 > SignatureDoesNotMatch",
        "color: blue > color: blue|x-amz-meta-color: red > SignatureDoesNotMatch",
        "x-amz-meta-color: blue| > '' > SignatureDoesNotMatch",
        "if-none-match: *| > '' > SignatureDoesNotMatch",
        "content-type: text/plain| > '' > SignatureDoesNotMatch",
        ";x-amz-meta-color > '' > AccessDenied",
        "SignedHeaders=cache-control; > SignedHeaders= > SignatureDoesNotMatch",
        "SignedHeaders=cache-control;content-type;host; > SignedHeaders=cache-control;content-type;"
            + " > AccessDenied",
        "x-amz-date: > x-amz-acl: private|x-amz-date: > AccessDenied",
        "x-amz-date: > x-amz-copy-source: /wire/other|x-amz-date: > AccessDenied",
        "x-amz-date: > x-amz-meta-size: 1|x-amz-date: > AccessDenied",
        "x-amz-date: > x-amz-tagging: a=b|x-amz-date: > AccessDenied",
        "x-amz-date: > x-amz-security-token: t|x-amz-date: > AccessDenied",
        "x-amz-date: > x-amz-website-redirect-location: /|x-amz-date: > AccessDenied",
        "us-east-1 > eu-west-1 > SignatureDoesNotMatch",
        "/s3/aws4_request > /ec2/aws4_request > AuthorizationHeaderMalformed",
        "/s3/aws4_request > /s3/aws5_request > AuthorizationHeaderMalformed",
        "Credential=ALICEKEY > Credential=BOBKEY > SignatureDoesNotMatch",
        "Credential=ALICEKEY > Credential=ADMINKEY > SignatureDoesNotMatch",
        "Credential=ALICEKEY > Credential=NOBODY > InvalidAccessKeyId",
        "Credential=ALICEKEY > Credential= > AuthorizationHeaderMalformed",
        "Signature= > Signature=0 > SignatureDoesNotMatch",
        "AWS4-HMAC-SHA256 Cred > AWS4-HMAC-SHA512 Cred > InvalidRequest",
        "AWS4-HMAC-SHA256 Cred > AWS4-ECDSA-P256-SHA256 Cred > InvalidRequest",
        "x-amz-content-sha256: > x-amz-content-sha256: UNSIGNED-PAYLOAD|x-amz-x: >"
            + " AccessDenied",
      })
  void requestThatIsNotAsItWasSignedIsRefused(String part, String instead, String code)
      throws IOException {
    String signed = signed();
    String tampered = signed.replace(lines(part), lines(instead));
    assertThat(tampered).isNotEqualTo(signed);

    assertRefused(tampered + BODY, code);
    assertIsGood(signed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UNSIGNED-PAYLOAD",
        "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
        "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
        "0000000000000000000000000000000000000000000000000000000000000000"
      })
  void hashOfTheBodyCannotBeLiftedOrChanged(String instead) throws IOException {
    String signed = signed();

    assertRefused(
        signed.replace(HandSigner.sha256(BODY.getBytes(US_ASCII)), instead) + BODY,
        "SignatureDoesNotMatch");
    assertIsGood(signed);
  }

  @Test
  void noByteOfTheBodyCanBeChanged() throws IOException {
    for (int place = 0; place < BODY.length(); place++) {
      byte[] body = BODY.getBytes(US_ASCII);
      body[place] ^= 1;

      assertRefused(signed() + new String(body, US_ASCII), "XAmzContentSHA256Mismatch");
    }
    assertIsGood(signed());
  }

  @Test
  void noLetterOfTheSignatureCanBeChanged() throws IOException {
    String signed = signed();
    int start = signed.indexOf("Signature=") + "Signature=".length();
    for (int place = start; place < start + 64; place++) {
      char other = signed.charAt(place) == '0' ? '1' : '0';

      assertRefused(
          signed.substring(0, place) + other + signed.substring(place + 1) + BODY,
          "SignatureDoesNotMatch");
    }
    assertIsGood(signed);
  }

  @Test
  void dateCannotBeMoved() throws IOException {
    String signed = signed();
    int start = signed.indexOf(DATE) + DATE.length();
    String date = signed.substring(start, start + 16);
    String otherSecond = date.substring(0, 13) + (date.endsWith("00Z") ? "01Z" : "00Z");

    assertRefused(signed.replace(date, otherSecond) + BODY, "SignatureDoesNotMatch");
    assertRefused(
        signed.replace(DATE + date, DATE + "19990101T000000Z") + BODY,
        "AuthorizationHeaderMalformed");
    assertIsGood(signed);
  }

  @ParameterizedTest
  @ValueSource(longs = {-16, -60, 16, 60})
  void requestIsNotGoodOutsideAQuarterOfAnHour(long minutes) throws IOException {
    Instant then = Instant.now().plus(Duration.ofMinutes(minutes));
    String replayed = signedAt(then) + BODY;

    assertThat(codeOf(replayed)).isEqualTo("RequestTimeTooSkewed");
    assertNothingWasWritten();
  }

  @ParameterizedTest
  @ValueSource(longs = {-14, 14})
  void requestIsGoodWithinAQuarterOfAnHour(long minutes) throws IOException {
    assertIsGood(signedAt(Instant.now().plus(Duration.ofMinutes(minutes))));
  }

  private static String signed() {
    return signedAt(Instant.now());
  }

  private static String signedAt(Instant instant) {
    return new HandSigner(wire.host(), GatewayFixture.ALICE, instant)
        .sign(
            "PUT",
            "/wire/key?x-id=PutObject",
            HandSigner.sha256(BODY.getBytes(US_ASCII)),
            Map.of(
                "cache-control", "no-cache",
                "content-type", "text/plain",
                "if-none-match", "*",
                "x-amz-meta-color", "blue",
                "x-amz-storage-class", "STANDARD"))
        .with("Content-Length: 5\r\n");
  }

  private static void assertRefused(String request, String code) throws IOException {
    assertThat(codeOf(request)).isEqualTo(code);
    assertNothingWasWritten();
  }

  private static void assertNothingWasWritten() {
    assertThat(wire.keys()).containsExactly("other");
    assertThat(wire.s3().listObjectsV2(r -> r.bucket("elsewhere")).contents()).isEmpty();
  }

  private static String codeOf(String request) throws IOException {
    try (RawConnection connection = wire.connect()) {
      RawResponse refused = connection.send(request).receive();
      assertThat(refused.status()).isIn(400, 403);
      return refused.body().replaceFirst("(?s).*<Code>(\\w+)</Code>.*", "$1");
    }
  }

  /** Shows that only the change was at fault. */
  private static void assertIsGood(String signed) throws IOException {
    try (RawConnection connection = wire.connect()) {
      assertThat(connection.send(signed + BODY).receive().status()).isEqualTo(200);
    }
    wire.s3().deleteObject(r -> r.bucket("wire").key("key"));
  }

  private static String lines(String text) {
    return text.replace("|", "\r\n");
  }
}
